/** The WebSocket of a session, as much of one of the package `ws` as is used. */
export interface SessionSocket {
  send(message: Uint8Array): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
  on(event: 'message', listener: (message: Buffer, isBinary: boolean) => void): unknown;
  on(event: 'close', listener: (code: number) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

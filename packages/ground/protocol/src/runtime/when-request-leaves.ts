/** The needed members of a request's socket, TLS or not. */
export interface DepartureSocket {
  readonly connecting: boolean;
  readonly encrypted?: boolean | undefined;
  readonly secureConnecting?: boolean | undefined;
  once(event: 'connect' | 'secureConnect', listener: () => void): unknown;
}

/** A `ClientRequest` of `node:http` or `node:https`, as far as it matters here. */
export interface DepartingRequest {
  once(event: 'socket', listener: (socket: DepartureSocket) => void): unknown;
}

/**
 * Calls `tell` when the first byte of a request is about to leave this process: as soon as it has a socket that is connected,
 * handshake included. Until then Node keeps it, so a request that fails without that call was certainly not sent.
 * For implementers of `AgentRuntime.tellsLeaving`. To be called right after the request was made.
 */
export function whenRequestLeaves(request: DepartingRequest, tell: () => void): void {
  request.once('socket', (socket) => {
    if (socket.connecting || socket.secureConnecting === true)
      socket.once(socket.encrypted === true ? 'secureConnect' : 'connect', tell);
    else tell();
  });
}

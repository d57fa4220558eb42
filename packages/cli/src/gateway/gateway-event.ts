/** A worker, as far as its user wants to know. */
export interface WorkerState {
  workerId: string;
  url: string;
  healthy: boolean;
  /** Null until it was found out. */
  flavour: string | null;
}

/** What `art gateway --json` tells, an object a line. */
export type GatewayEvent =
  | { event: 'ready'; url: string; traces: string; workers: number; control: 'open' | 'token' }
  | ({ event: 'worker'; change: 'added' | 'up' | 'down' | 'removed' } & WorkerState)
  | { event: 'notice'; message: string }
  | { event: 'stopping' }
  | { event: 'stopped' };

/**
 * Why a session ended. `stopped`: by its caller. `idle`, `max_lifetime`: reaped. `unhealthy`: it did not answer its pings.
 * `exited`: the process ended by itself. `start_failed`: it never became healthy. `closed`: the whole runtime was closed.
 */
export type SessionEndReason =
  | 'stopped'
  | 'idle'
  | 'max_lifetime'
  | 'unhealthy'
  | 'exited'
  | 'start_failed'
  | 'closed';

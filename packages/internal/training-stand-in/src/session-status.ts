import { WireRefusal } from './wire-refusal.ts';

export type SessionStatus =
  | 'Created'
  | 'Scheduled'
  | 'Running'
  | 'Blocked'
  | 'Failed'
  | 'Stopping'
  | 'Stopped'
  | 'Expired'
  | 'Deleting';

export function isEnded(status: SessionStatus): boolean {
  return ['Stopped', 'Failed', 'Expired', 'Deleting'].includes(status);
}

export function invalidTransition(from: SessionStatus, to: SessionStatus): WireRefusal {
  return new WireRefusal('ValidationException', `invalid session state transition from ${from} to ${to}`);
}

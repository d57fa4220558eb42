import type { RolloutEvent } from '@art/client';
import type { FirstErrors } from './first-errors.ts';

/** What of a run's events is worth a line of its own; undefined for the rest, which the progress shows. */
export function tellRunEvent(event: RolloutEvent, firstErrors: FirstErrors): string | undefined {
  switch (event.type) {
    case 'store_trouble':
      return `The store does not answer: ${event.error instanceof Error ? event.error.message : String(event.error)}`;
    case 'store_recovered':
      return 'The store answers again.';
    case 'quota_paused':
      return 'There is no room for another session (402); waiting for one to end.';
    default:
      return firstErrors.ofEvent(event);
  }
}

import { randomBytes } from 'node:crypto';

/** An id for a run that sorts by time and that a person can read out: `20260131-120000-3f9a1c`. */
export function newRunId(now: Date = new Date()): string {
  const [day = '', time = ''] = now.toISOString().split('T');
  return `${day.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${randomBytes(3).toString('hex')}`;
}

import { randomBytes } from 'node:crypto';
import { describeValue, refuseOption } from '@art/ground';

// It names a directory and a part of a store's keys.
const runIdPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** True if a text can name a run. */
export function isRunId(value: unknown): value is string {
  return typeof value === 'string' && runIdPattern.test(value);
}

/** @throws ArtError `ART_INVALID_OPTION` */
export function checkRunId(value: unknown): void {
  if (isRunId(value)) return;
  refuseOption(
    'runId',
    '1 to 128 letters, digits, ".", "_" and "-", beginning with a letter or digit',
    typeof value === 'string' ? value : describeValue(value),
  );
}

/** An id for a run that sorts by time and that a person can read out: `20260131-120000-3f9a1c`. */
export function newRunId(now = new Date()): string {
  const [day = '', time = ''] = now.toISOString().split('T');
  return `${day.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${randomBytes(3).toString('hex')}`;
}

import type { ErrorCode } from '@art/protocol';

const failedStarts: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'ART_RUNTIME_START_FAILED',
  'ART_RUNTIME_REJECTED',
  'ART_CONTAINER_ERROR',
]);

/** Whether an error says that a session never took up its work: what failed then fails again until somebody mends it. */
export function isFailedStart(code: ErrorCode | undefined): boolean {
  return code !== undefined && failedStarts.has(code);
}

import type { InvocationState } from '@art/protocol';

const inHead = /"status"\s*:\s*"(in_progress|completed|interrupted|not_found)"/;

/**
 * The status in the first bytes of an answer by the Runtime Invocation Protocol; undefined where there is none. Every known
 * server writes it before the result, which can be 100 MB.
 */
export function invocationStatus(head: string): InvocationState['status'] | undefined {
  return inHead.exec(head)?.[1] as InvocationState['status'] | undefined;
}

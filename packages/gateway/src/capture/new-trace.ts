import type { Trace } from '@art/trajectories';

/** JSON text, or its bytes in UTF-8, which nobody changes any more. */
export type TextBytes = string | Uint8Array;

/**
 * A trace on its way into a store. Long texts may come as the bytes that they were sent as: most are never looked at again,
 * and making texts of them first would be most of the garbage of a call.
 */
export interface NewTrace extends Omit<Trace, 'messages' | 'rawRequest' | 'rawResponse'> {
  messages: readonly TextBytes[];
  rawRequest: TextBytes | undefined;
  rawResponse: TextBytes | undefined;
}

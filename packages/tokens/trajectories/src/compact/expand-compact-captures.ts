import { ArtError, describeValue, isJsonObject, type JsonObject } from '@art/ground';
import type { CaptureRecord } from '../captures/capture-record.ts';

interface CompactDelta extends JsonObject {
  trace_id: string;
  parent_trace_id: string | null;
  messages_suffix: JsonObject[];
  prompt_ids_suffix: number[];
}

/**
 * Makes whole records of the compact form, in which a capture does not repeat what it continues: with a parent, its messages
 * are those of the parent, the parent's response (or the agent's spelling of it), and a suffix; its prompt ids are the
 * parent's prompt and completion, and a suffix.
 * @throws ArtError `ART_INVALID_CAPTURES`
 */
export function expandCompactCaptures(compact: unknown): CaptureRecord[] {
  if (!isJsonObject(compact) || compact['format'] !== 'compact' || !Array.isArray(compact['deltas'])) {
    refuse(`{"format":"compact","deltas":[...]}, got ${describeValue(compact)}`);
  }
  if (compact['version'] !== 1) refuse(`version 1, got ${describeValue(compact['version'])}`);
  const records = new Map<string, CaptureRecord>();
  for (const delta of compact['deltas'] as CompactDelta[]) {
    const {
      parent_trace_id: parentId,
      messages_suffix: messages,
      prompt_ids_suffix: promptIds,
      echoed_response: echo,
      ...rest
    } = delta;
    const parent = parentId === null ? undefined : records.get(parentId);
    if (parentId !== null && parent === undefined) {
      refuse(
        `the parent ${describeValue(parentId)} of capture ${describeValue(delta.trace_id)} before it, got none`,
      );
    }
    const record = {
      ...rest,
      messages:
        parent === undefined ? messages : [...parent.messages, echo ?? parent.response_message, ...messages],
      prompt_token_ids:
        parent === undefined
          ? promptIds
          : [...parent.prompt_token_ids, ...parent.completion_token_ids, ...promptIds],
    } as unknown as CaptureRecord;
    records.set(record.trace_id, record);
  }
  return [...records.values()];
}

function refuse(what: string): never {
  throw new ArtError({ code: 'ART_INVALID_CAPTURES', message: `Expected compact captures: ${what}.` });
}

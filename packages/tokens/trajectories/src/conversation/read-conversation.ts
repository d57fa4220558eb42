import { isJsonObject, readMember } from '@art/ground';
import type { TrainingRow } from '../rows/training-row.ts';
import type { CaptureRecord } from '../captures/capture-record.ts';
import type { CompletionTokens, Conversation, ModelCallRecord } from './conversation.ts';
import { MessageTable } from './message-table.ts';

/** @param rows of the same session, which say what trains */
export function readConversation(
  captures: readonly CaptureRecord[],
  rows: readonly TrainingRow[],
): Conversation {
  const table = new MessageTable();
  const masks = lossMasks(rows);
  const calls = captures
    .toSorted((first, second) => first.timestamp - second.timestamp)
    .map((capture): ModelCallRecord => {
      const prompt = capture.messages.map((message) => table.add(message));
      const { prompt: promptCount, completion: completionCount } = capture.token_counts;
      return {
        captureId: capture.trace_id,
        startedAtMs: Math.round(capture.timestamp * 1_000),
        latencyMs: capture.latency_ms,
        model: capture.model,
        ...(typeof capture.metadata['label'] === 'string' && { label: capture.metadata['label'] }),
        wire: capture.wire ?? null,
        finishReason: capture.finish_reason,
        prompt,
        answer: table.add(capture.response_message),
        tools: [...(capture.tools ?? [])],
        promptTokens:
          (capture.choice_index ?? 0) > 0 ? 0 : (promptCount ?? countOf(capture.prompt_token_ids)),
        completionTokens: completionCount ?? countOf(capture.completion_token_ids),
        tokens: completionTokens(capture, masks.get(capture.trace_id)),
        capture: capture.capture ?? null,
        problems: [...(capture.capture_problems ?? [])],
        weightVersion: capture.weight_version,
        temperature: capture.temperature ?? null,
        topP: capture.top_p ?? null,
        seed: seedOf(capture),
      };
    });
  return { messages: table.messages, calls };
}

/** Without ids nothing is known of their number. */
const countOf = ({ length }: readonly number[]): number | null => length || null;

/** A gateway that keeps raw bodies has what the agent sent. */
function seedOf(capture: CaptureRecord): number | null {
  const seed = readMember(capture.raw_request, 'seed');
  return typeof seed === 'number' ? seed : null;
}

function completionTokens(capture: CaptureRecord, lossMask: number[] | undefined): CompletionTokens | null {
  const ids = [...capture.completion_token_ids];
  if (ids.length === 0) return null;
  return {
    ids,
    logprobs: capture.logprobs === null ? null : [...capture.logprobs],
    texts: tokenTexts(capture, ids.length),
    lossMask: lossMask?.length === ids.length ? lossMask : null,
  };
}

/** The engine writes them beside its logprobs; a gateway that keeps raw bodies has them. */
function tokenTexts(capture: CaptureRecord, count: number): string[] | null {
  const choices = readMember(capture.raw_response, 'choices');
  const choice: unknown = Array.isArray(choices) ? choices[capture.choice_index ?? 0] : undefined;
  const content = readMember(readMember(choice, 'logprobs'), 'content');
  if (!Array.isArray(content) || content.length !== count) return null;
  const texts = content.map((token: unknown) => (isJsonObject(token) ? token['token'] : undefined));
  return texts.every((text) => typeof text === 'string') ? texts : null;
}

/** By capture: rows may share a turn, and a turn trains in one of them at most. */
function lossMasks(rows: readonly TrainingRow[]): Map<string, number[]> {
  const masks = new Map<string, number[]>();
  for (const { turn_spans: spans, loss_mask: mask } of rows) {
    for (const { trace_id: captureId, start, end } of spans) {
      const part = mask.slice(start, end);
      const known = masks.get(captureId);
      masks.set(captureId, known === undefined ? part : part.map((trains, at) => trains | (known[at] ?? 0)));
    }
  }
  return masks;
}

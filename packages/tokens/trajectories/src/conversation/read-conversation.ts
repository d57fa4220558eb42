import { isJsonObject, readMember } from '@art/ground';
import type { TrainingRow } from '../rows/training-row.ts';
import type { TraceRecord } from '../traces/trace-record.ts';
import type { CompletionTokens, Conversation, ModelCallRecord } from './conversation.ts';
import { MessageTable } from './message-table.ts';

/** @param rows of the same session, which say what trains */
export function readConversation(traces: readonly TraceRecord[], rows: readonly TrainingRow[]): Conversation {
  const table = new MessageTable();
  const masks = lossMasks(rows);
  const calls = traces
    .toSorted((first, second) => first.timestamp - second.timestamp)
    .map((trace): ModelCallRecord => {
      const prompt = trace.messages.map((message) => table.add(message));
      const { prompt: promptCount, completion: completionCount } = trace.token_counts;
      return {
        traceId: trace.trace_id,
        startedAtMs: Math.round(trace.timestamp * 1_000),
        latencyMs: trace.latency_ms,
        model: trace.model,
        ...(typeof trace.metadata['label'] === 'string' && { label: trace.metadata['label'] }),
        wire: trace.wire ?? null,
        finishReason: trace.finish_reason,
        prompt,
        answer: table.add(trace.response_message),
        tools: [...(trace.tools ?? [])],
        promptTokens: promptCount ?? trace.prompt_token_ids.length,
        completionTokens: completionCount ?? trace.completion_token_ids.length,
        tokens: completionTokens(trace, masks.get(trace.trace_id)),
        capture: trace.capture ?? null,
        problems: [...(trace.capture_problems ?? [])],
        weightVersion: trace.weight_version,
        temperature: trace.temperature ?? null,
        topP: trace.top_p ?? null,
        seed: seedOf(trace),
      };
    });
  return { messages: table.messages, calls };
}

/** A gateway that keeps raw bodies has what the agent sent. */
function seedOf(trace: TraceRecord): number | null {
  const seed = readMember(trace.raw_request, 'seed');
  return typeof seed === 'number' ? seed : null;
}

function completionTokens(trace: TraceRecord, lossMask: number[] | undefined): CompletionTokens | null {
  const ids = [...trace.completion_token_ids];
  if (ids.length === 0) return null;
  return {
    ids,
    logprobs: trace.logprobs === null ? null : [...trace.logprobs],
    texts: tokenTexts(trace, ids.length),
    lossMask: lossMask?.length === ids.length ? lossMask : null,
  };
}

/** The engine writes them beside its logprobs; a gateway that keeps raw bodies has them. */
function tokenTexts(trace: TraceRecord, count: number): string[] | null {
  const choices = readMember(trace.raw_response, 'choices');
  const choice: unknown = Array.isArray(choices) ? choices[trace.choice_index ?? 0] : undefined;
  const content = readMember(readMember(choice, 'logprobs'), 'content');
  if (!Array.isArray(content) || content.length !== count) return null;
  const texts = content.map((token: unknown) => (isJsonObject(token) ? token['token'] : undefined));
  return texts.every((text) => typeof text === 'string') ? texts : null;
}

/** By trace: rows may share a turn, and a turn trains in one of them at most. */
function lossMasks(rows: readonly TrainingRow[]): Map<string, number[]> {
  const masks = new Map<string, number[]>();
  for (const { turn_spans: spans, loss_mask: mask } of rows) {
    for (const { trace_id: traceId, start, end } of spans) {
      const part = mask.slice(start, end);
      const known = masks.get(traceId);
      masks.set(traceId, known === undefined ? part : part.map((trains, at) => trains | (known[at] ?? 0)));
    }
  }
  return masks;
}

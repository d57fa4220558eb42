import { isJsonObject, parseJson, type JsonObject } from '@art/ground';
import type { HealthPlace } from '../result/health-place.ts';
import { Tally } from '../result/tally.ts';
import { healthy, noCallsObserved, notObserved, type HealthCheck } from './health-check.ts';
import { messageText } from './message-text.ts';
import { answers, type ObservedToolCall, toolCalls } from './tool-calls.ts';

/** A tool that gives nothing but errors: a sandbox that is broken, a secret that is missing. */
export const toolAlwaysFails: HealthCheck = {
  id: 'tool_always_fails',
  observe({ minToolCalls, maxToolErrorShare }) {
    const byTool = new Map<string, ToolResults>();
    let isObserved = false;
    return {
      see(rollout) {
        isObserved ||= answers(rollout).length > 0;
        const { messages = [], calls = [] } = rollout.conversation ?? {};
        const waiting = toolCalls(rollout)
          .map((one) => ({ ...one, at: calls[one.call - 1]!.answer }))
          .toSorted((first, second) => first.at - second.at);
        // Some engines name the calls of each turn anew, so that an id means the last call before the result.
        const made = new Map<string, ObservedToolCall>();
        for (const [at, message] of messages.entries()) {
          while (waiting[0] !== undefined && waiting[0].at < at) {
            const one = waiting.shift()!;
            made.set(one.id, one);
          }
          if (message['role'] !== 'tool') continue;
          const asked = made.get(message['tool_call_id'] as string);
          if (asked === undefined) continue;
          const results = byTool.get(asked.name) ?? new ToolResults();
          byTool.set(asked.name, results);
          results.see(message, asked.arguments, { id: rollout.id, call: asked.call });
        }
      },
      judge() {
        if (!isObserved) return noCallsObserved;
        const judged = [...byTool].filter(([, { errors }]) => errors.seen >= minToolCalls);
        if (judged.length === 0) return notObserved(`no tool gave ${minToolCalls} results`);
        const failing = judged.filter(([, { errors }]) => errors.share >= maxToolErrorShare);
        const [worst] = failing.toSorted(([, first], [, second]) => second.errors.hits - first.errors.hits);
        if (worst !== undefined) {
          return worst[1].errors.finding(
            'error',
            `Tools that fail: ${failing.map(([name, { errors }]) => `${name}, ${errors.of('results')}`).join('; ')}.`,
            'Call the tool by hand where the agent runs: look for missing secrets, packages and network. The reward measures the broken tool.',
          );
        }
        const constant = judged.find(([, results]) => results.isConstant);
        if (constant === undefined) return healthy;
        const [name, { results }] = constant;
        return results.finding(
          'warning',
          `The tool ${name} gave the same result ${results.seen} times, whatever its arguments were.`,
          'Call the tool by hand where the agent runs, with two different arguments.',
        );
      },
    };
  },
};

class ToolResults {
  readonly errors = new Tally();
  readonly results = new Tally();
  readonly #texts = new Set<string>();
  readonly #arguments = new Set<string>();

  see(message: JsonObject, given: string, place: HealthPlace): void {
    this.errors.see(isError(message), place);
    this.results.see(true, place);
    // Two of each are as telling as a thousand.
    if (this.#texts.size < 2) this.#texts.add(messageText(message));
    if (this.#arguments.size < 2) this.#arguments.add(given);
  }

  get isConstant(): boolean {
    return this.#texts.size === 1 && this.#arguments.size > 1;
  }
}

function isError(message: JsonObject): boolean {
  const text = messageText(message).trim();
  if (
    /^(error|exception|traceback|failed|failure|fatal|unauthori[sz]ed|forbidden|permission denied|command not found)\b/i.test(
      text,
    )
  )
    return true;
  if (!text.startsWith('{')) return false;
  try {
    const value = parseJson(text);
    if (!isJsonObject(value)) return false;
    const { error, isError: flagged, is_error: pythonic, status, success } = value;
    return (
      (error !== undefined && error !== null && error !== '' && error !== false) ||
      flagged === true ||
      pythonic === true ||
      status === 'error' ||
      success === false
    );
  } catch {
    return false;
  }
}

import { isJsonObject } from '@art/protocol';

import type { ParsedTurn } from '../parsers/parsed-turn.ts';
import type { TurnDelta } from '../parsers/turn-stream.ts';
import type { SampleFinish } from '../sampling/token-sampler.ts';
import { cutAtStopText, StopTextGuard } from './turn-text.ts';

interface StreamedCall {
  id: string | undefined;
  name: string;
  arguments: string;
}

/**
 * A message that an engine tells in chunks of the chat wire. Text is given out as it comes, but for what may be the
 * beginning of a stop text; calls once they are complete.
 */
export class StreamedMessage {
  readonly #stops: readonly string[];
  readonly #guards: { content: StopTextGuard; reasoning: StopTextGuard };
  readonly #calls = new Map<number, StreamedCall>();
  #fresh: TurnDelta = { content: '', reasoning: '' };
  #content = '';
  #reasoning = '';

  constructor(stops: readonly string[]) {
    this.#stops = stops;
    this.#guards = { content: new StopTextGuard(stops), reasoning: new StopTextGuard(stops) };
  }

  add(chunk: Readonly<Record<string, unknown>>): void {
    const choices: readonly unknown[] = Array.isArray(chunk['choices']) ? chunk['choices'] : [];
    const delta = isJsonObject(choices[0]) ? choices[0]['delta'] : undefined;
    if (!isJsonObject(delta)) return;
    const { content, tool_calls: calls } = delta;
    const reasoning = delta['reasoning'] ?? delta['reasoning_content'];
    if (typeof content === 'string') this.#fresh.content += this.#guards.content.push(content);
    if (typeof reasoning === 'string') this.#fresh.reasoning += this.#guards.reasoning.push(reasoning);
    for (const call of Array.isArray(calls) ? (calls as unknown[]) : []) this.#addCall(call);
  }

  /** What was not given out yet. */
  take(): TurnDelta {
    const fresh = this.#fresh;
    this.#fresh = { content: '', reasoning: '' };
    this.#content += fresh.content;
    this.#reasoning += fresh.reasoning;
    return fresh;
  }

  finish(finish: SampleFinish | undefined): TurnDelta & { parsed: ParsedTurn } {
    this.#fresh.content += this.#rest(this.#guards.content, finish);
    this.#fresh.reasoning += this.#rest(this.#guards.reasoning, finish);
    const delta = this.take();
    const calls = Array.from(this.#calls.values());
    const parsed = {
      content: this.#content === '' ? null : this.#content,
      reasoning: this.#reasoning === '' ? null : this.#reasoning,
      toolCalls: calls.map(({ id, ...call }) => (id === undefined ? call : { id, ...call })),
      illFormed: false,
    };
    return { ...delta, parsed };
  }

  #rest(guard: StopTextGuard, finish: SampleFinish | undefined): string {
    const held = guard.finish(undefined);
    return finish?.reason === 'stop' ? (cutAtStopText(held, this.#stops) ?? '') : held;
  }

  #addCall(value: unknown): void {
    if (!isJsonObject(value)) return;
    const index = typeof value['index'] === 'number' ? value['index'] : this.#calls.size;
    const call = this.#calls.get(index) ?? { id: undefined, name: '', arguments: '' };
    this.#calls.set(index, call);
    if (typeof value['id'] === 'string' && value['id'] !== '') call.id = value['id'];
    const inner = value['function'];
    if (!isJsonObject(inner)) return;
    if (typeof inner['name'] === 'string') call.name += inner['name'];
    if (typeof inner['arguments'] === 'string') call.arguments += inner['arguments'];
  }
}

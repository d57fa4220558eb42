import { readSpeech, type ChatToolCall } from '@art/model-wires';
import { isJsonObject } from '@art/protocol';

import { parsedTurn, type ParsedToolCall, type ParsedTurn } from '../parsers/parsed-turn.ts';
import type { TurnDelta } from '../parsers/turn-stream.ts';
import type { SampleFinish } from '../sampling/token-sampler.ts';
import { cutAtStopText, StopTextGuard } from './turn-text.ts';

/**
 * A message that an engine tells in chunks of the chat wire. Text is given out as it comes, but for what may be the
 * beginning of a stop text; calls once they are complete.
 */
export class StreamedMessage {
  readonly #stops: readonly string[];
  readonly #guards: { content: StopTextGuard; reasoning: StopTextGuard };
  readonly #calls = new Map<number, ParsedToolCall>();
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
    const { text, reasoning, toolCalls } = readSpeech(delta);
    this.#fresh.content += this.#guards.content.push(text);
    this.#fresh.reasoning += this.#guards.reasoning.push(reasoning);
    for (const call of toolCalls) this.#addCall(call);
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
    const said = { content: this.#content, reasoning: this.#reasoning };
    return { ...delta, parsed: parsedTurn(said, [...this.#calls.values()]) };
  }

  #rest(guard: StopTextGuard, finish: SampleFinish | undefined): string {
    const held = guard.finish(undefined);
    return finish?.reason === 'stop' ? (cutAtStopText(held, this.#stops) ?? '') : held;
  }

  #addCall({ index = this.#calls.size, id, name = '', arguments: args }: ChatToolCall): void {
    const call = this.#calls.get(index) ?? { name: '', arguments: '' };
    if (id !== undefined) call.id = id;
    call.name += name;
    call.arguments += args;
    this.#calls.set(index, call);
  }
}

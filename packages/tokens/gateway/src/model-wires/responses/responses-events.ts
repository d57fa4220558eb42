import { writeObject } from '../../json-bytes/write-json.ts';
import { answerEvents, type AnswerEvent, type AnswerBeginning } from '../chat/answer-stream.ts';
import type { WholeChatReply } from '../chat/chat-reply.ts';
import { sseEvent, type AnswerFacts, type WireEvents } from '../chat/translated-stream.ts';
import type { StreamFailure } from '../chat/wire-translation.ts';
import { outputItemId, writeItemPart, writeOutputItem, type OutputItem } from './output-item.ts';
import {
  responseState,
  writeResponseObject,
  type ResponseContext,
  type ResponseState,
} from './response-object.ts';

type Members = readonly (readonly [name: string, text: string])[];

/** How the API reports what is inside an item. */
interface PartEvents {
  /** The events of its text, which begin so, and the field that has it whole. */
  text: string;
  whole: string;
  /** The events of the part that the text is in, and the field that numbers it. A call has no parts. */
  part?: { events: string; index: string };
}

const summary = { events: 'response.reasoning_summary_part', index: 'summary_index' };
const content = { events: 'response.content_part', index: 'content_index' };
const partEvents: Readonly<Record<AnswerBeginning['kind'], PartEvents>> = {
  reasoning: { text: 'response.reasoning_summary_text', whole: 'text', part: summary },
  text: { text: 'response.output_text', whole: 'text', part: content },
  refusal: { text: 'response.refusal', whole: 'refusal', part: content },
  call: { text: 'response.function_call_arguments', whole: 'arguments' },
};

/** The events of the Responses wire. */
export class ResponsesEvents implements WireEvents {
  readonly #context: ResponseContext;
  readonly #output: string[] = [];
  #item: OutputItem | undefined;
  #sequence = 0;

  constructor(context: ResponseContext) {
    this.#context = context;
  }

  /** A whole reply: what its last event would hold, had it been streamed. */
  whole(reply: WholeChatReply): string {
    const state = responseState(reply.finishReason);
    this.write(answerEvents(reply.speech, this.#context.newId), state);
    return this.#response(state, reply);
  }

  begin(facts: AnswerFacts): string {
    const response = this.#response({ status: 'in_progress' }, facts);
    return (
      this.#event('response.created', [['response', response]]) +
      this.#event('response.in_progress', [['response', response]])
    );
  }

  end(events: readonly AnswerEvent[], facts: AnswerFacts): string {
    const state = responseState(facts.finishReason);
    return this.write(events, state) + this.#end(state, facts);
  }

  // What is open stays open: an item that is closed passes for whole.
  fail({ message }: StreamFailure, facts: AnswerFacts): string {
    const begun = this.#sequence === 0 ? this.begin(facts) : '';
    return begun + this.#end({ status: 'failed', message }, facts);
  }

  #end(state: ResponseState, facts: AnswerFacts): string {
    return this.#event(`response.${state.status}`, [['response', this.#response(state, facts)]]);
  }

  #response(state: ResponseState, facts: AnswerFacts): string {
    return writeResponseObject(this.#context, state, this.#output, facts);
  }

  /** @param end how the answer ends, where these are its last events: what came last is what a limit cut off */
  write(events: readonly AnswerEvent[], end?: ResponseState): string {
    const isCut = end !== undefined && end.status !== 'completed';
    let text = '';
    for (const [index, event] of events.entries()) {
      if (event.event === 'open') text += this.#open({ head: event, text: '', logprobs: undefined });
      else if (event.event === 'delta') text += this.#delta(event.text, event.logprobs);
      else text += this.#close(isCut && index === events.length - 1 ? 'incomplete' : 'completed');
    }
    return text;
  }

  #open(item: OutputItem): string {
    this.#item = item;
    const written = writeOutputItem(this.#context, item, this.#output.length, 'in_progress');
    return this.#itemEvent('added', written) + this.#partEvent(item, 'added');
  }

  #delta(text: string, logprobs: string | undefined): string {
    const item = this.#item;
    if (item === undefined) return '';
    item.text += text;
    if (logprobs !== undefined) item.logprobs = joinArrays(item.logprobs, logprobs);
    return this.#textEvent(item, 'delta', [['delta', JSON.stringify(text)]], logprobs);
  }

  #close(status: 'completed' | 'incomplete'): string {
    const item = this.#item;
    if (item === undefined) return '';
    this.#item = undefined;
    const { head, text, logprobs } = item;
    const name = head.kind === 'call' ? ([['name', JSON.stringify(head.name)]] as const) : [];
    const whole = [partEvents[head.kind].whole, JSON.stringify(text)] as const;
    const written = writeOutputItem(this.#context, item, this.#output.length, status);
    const done =
      this.#textEvent(item, 'done', [...name, whole], logprobs) +
      this.#partEvent(item, 'done') +
      this.#itemEvent('done', written);
    this.#context.items?.remember(outputItemId(this.#context, item, this.#output.length), written);
    this.#output.push(written);
    return done;
  }

  #itemEvent(what: 'added' | 'done', written: string): string {
    return this.#event(`response.output_item.${what}`, [
      ['output_index', String(this.#output.length)],
      ['item', written],
    ]);
  }

  #partEvent(item: OutputItem, what: 'added' | 'done'): string {
    const { part } = partEvents[item.head.kind];
    return part === undefined
      ? ''
      : this.#innerEvent(`${part.events}.${what}`, item, [['part', writeItemPart(item)]]);
  }

  #textEvent(item: OutputItem, what: 'delta' | 'done', members: Members, logprobs = '[]'): string {
    const { kind } = item.head;
    const all = kind === 'text' ? [...members, ['logprobs', logprobs] as const] : members;
    return this.#innerEvent(`${partEvents[kind].text}.${what}`, item, all);
  }

  /** An event inside an item: it says which item, and which of its parts. */
  #innerEvent(type: string, item: OutputItem, members: Members): string {
    const { part } = partEvents[item.head.kind];
    return this.#event(type, [
      ['item_id', JSON.stringify(outputItemId(this.#context, item, this.#output.length))],
      ['output_index', String(this.#output.length)],
      ...(part === undefined ? [] : [[part.index, '0'] as const]),
      ...members,
    ]);
  }

  #event(type: string, members: Members): string {
    const sequence = String(this.#sequence);
    this.#sequence += 1;
    return sseEvent(
      type,
      writeObject([['type', JSON.stringify(type)], ['sequence_number', sequence], ...members]),
    );
  }
}

function joinArrays(left: string | undefined, right: string): string {
  if (left === undefined || left === '[]') return right;
  return right === '[]' ? left : `${left.slice(0, -1)},${right.slice(1)}`;
}

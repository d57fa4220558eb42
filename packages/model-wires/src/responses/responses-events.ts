import { answerEvents, type AnswerEvent, type AnswerHead } from '../chat/answer-stream.ts';
import type { WholeReply } from '../chat/chat-reply.ts';
import { sseEvent, type AnswerFacts, type WireEvents } from '../chat/translated-stream.ts';
import type { StreamFailure } from '../chat/wire-translation.ts';
import { writeObject } from '@art/json-bytes';
import {
  outputItemId,
  writeMessagePart,
  writeOutputItem,
  writeSummaryPart,
  type OutputItem,
} from './output-item.ts';
import {
  responseState,
  writeResponseObject,
  type ResponseContext,
  type ResponseState,
} from './response-object.ts';

/** The events of the Responses wire. */
export class ResponsesEvents implements WireEvents {
  readonly #context: ResponseContext;
  readonly #output: string[] = [];
  #item: OutputItem | undefined;
  #sequence = 0;

  constructor(context: ResponseContext) {
    this.#context = context;
  }

  /** A whole reply: what its last event would tell, had it been streamed. */
  whole(reply: WholeReply): string {
    const state = responseState(reply.finishReason);
    this.tell(answerEvents(reply.speech, this.#context.newId), state);
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
    return this.tell(events, state) + this.#end(state, facts);
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
  tell(events: readonly AnswerEvent[], end?: ResponseState): string {
    const isCut = end !== undefined && end.status !== 'completed';
    let text = '';
    for (const [index, event] of events.entries()) {
      if (event.event === 'open') text += this.#open(itemOf(event));
      else if (event.event === 'delta') text += this.#delta(event.text, event.logprobs);
      else text += this.#close(isCut && index === events.length - 1 ? 'incomplete' : 'completed');
    }
    return text;
  }

  #open(item: OutputItem): string {
    this.#item = item;
    const added = this.#event('response.output_item.added', [
      ['output_index', this.#index],
      ['item', writeOutputItem(this.#context, item, this.#output.length, 'in_progress')],
    ]);
    switch (item.type) {
      case 'reasoning':
        return (
          added +
          this.#partEvent('response.reasoning_summary_part.added', item, [['part', writeSummaryPart('')]])
        );
      case 'message':
        return (
          added + this.#partEvent('response.content_part.added', item, [['part', writeMessagePart(item)]])
        );
      case 'function_call':
        return added;
    }
  }

  #delta(text: string, logprobs: string | undefined): string {
    const item = this.#item;
    if (item === undefined) return '';
    item.text += text;
    const delta = ['delta', JSON.stringify(text)] as const;
    switch (item.type) {
      case 'reasoning':
        return this.#partEvent('response.reasoning_summary_text.delta', item, [delta]);
      case 'function_call':
        return this.#partEvent('response.function_call_arguments.delta', item, [delta]);
      case 'message':
        if (item.part === 'refusal') return this.#partEvent('response.refusal.delta', item, [delta]);
        if (logprobs !== undefined) item.logprobs = joinArrays(item.logprobs, logprobs);
        return this.#partEvent('response.output_text.delta', item, [delta, ['logprobs', logprobs ?? '[]']]);
    }
  }

  #close(status: 'completed' | 'incomplete'): string {
    const item = this.#item;
    if (item === undefined) return '';
    this.#item = undefined;
    const whole = writeOutputItem(this.#context, item, this.#output.length, status);
    const done =
      this.#contentDone(item) +
      this.#event('response.output_item.done', [
        ['output_index', this.#index],
        ['item', whole],
      ]);
    this.#context.items?.remember(outputItemId(this.#context, item, this.#output.length), whole);
    this.#output.push(whole);
    return done;
  }

  #contentDone(item: OutputItem): string {
    const text = JSON.stringify(item.text);
    switch (item.type) {
      case 'reasoning':
        return (
          this.#partEvent('response.reasoning_summary_text.done', item, [['text', text]]) +
          this.#partEvent('response.reasoning_summary_part.done', item, [
            ['part', writeSummaryPart(item.text)],
          ])
        );
      case 'function_call':
        return this.#partEvent('response.function_call_arguments.done', item, [
          ['name', JSON.stringify(item.name)],
          ['arguments', text],
        ]);
      case 'message':
        return (
          (item.part === 'refusal'
            ? this.#partEvent('response.refusal.done', item, [['refusal', text]])
            : this.#partEvent('response.output_text.done', item, [
                ['text', text],
                ['logprobs', item.logprobs ?? '[]'],
              ])) + this.#partEvent('response.content_part.done', item, [['part', writeMessagePart(item)]])
        );
    }
  }

  get #index(): string {
    return String(this.#output.length);
  }

  /** An event inside an item: it says which item, and which of its parts. */
  #partEvent(type: string, item: OutputItem, members: readonly (readonly [string, string])[]): string {
    const part =
      item.type === 'reasoning' ? 'summary_index' : item.type === 'message' ? 'content_index' : undefined;
    return this.#event(type, [
      ['item_id', JSON.stringify(outputItemId(this.#context, item, this.#output.length))],
      ['output_index', this.#index],
      ...(part === undefined ? [] : [[part, '0'] as const]),
      ...members,
    ]);
  }

  #event(type: string, members: readonly (readonly [string, string])[]): string {
    const sequence = String(this.#sequence);
    this.#sequence += 1;
    return sseEvent(
      type,
      writeObject([['type', JSON.stringify(type)], ['sequence_number', sequence], ...members]),
    );
  }
}

function itemOf(head: AnswerHead): OutputItem {
  switch (head.kind) {
    case 'reasoning':
      return { type: 'reasoning', text: '' };
    case 'call':
      return { type: 'function_call', callId: head.callId, name: head.name, text: '' };
    case 'text':
    case 'refusal':
      return { type: 'message', part: head.kind, text: '', logprobs: undefined };
  }
}

function joinArrays(left: string | undefined, right: string): string {
  if (left === undefined || left === '[]') return right;
  return right === '[]' ? left : `${left.slice(0, -1)},${right.slice(1)}`;
}

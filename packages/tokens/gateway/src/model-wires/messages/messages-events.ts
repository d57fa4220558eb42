import { hasGivenUp } from '../chat/has-given-up.ts';
import { writeObject } from '../../json-bytes/write-json.ts';
import type { AnswerEvent, AnswerBeginning } from '../chat/answer-stream.ts';
import { sseEvent, type AnswerFacts, type WireEvents } from '../chat/translated-stream.ts';
import { messagesError } from './messages-errors.ts';
import type { StreamFailure } from '../chat/wire-translation.ts';
import {
  messageEnd,
  messageUsage,
  thinkingSignature,
  writeBlock,
  type MessageContext,
} from './messages-reply.ts';

/** The events of the Messages wire. */
export class MessagesEvents implements WireEvents {
  readonly #context: MessageContext;
  #block: AnswerBeginning['kind'] | undefined;
  #blockIndex = 0;
  #hasCalls = false;

  constructor(context: MessageContext) {
    this.#context = context;
  }

  begin({ model }: AnswerFacts): string {
    return (
      event('message_start', {
        message: {
          id: this.#context.id,
          type: 'message',
          role: 'assistant',
          model: model ?? this.#context.model,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          // Engines count at the end; the counts come with message_delta.
          usage: messageUsage(undefined),
        },
      }) + event('ping', {})
    );
  }

  write(events: readonly AnswerEvent[]): string {
    let text = '';
    for (const event of events) {
      if (event.event === 'open') text += this.#open(event);
      else if (event.event === 'delta') text += this.#delta(blockDelta(this.#block, event.text));
      else text += this.#close();
    }
    return text;
  }

  end(events: readonly AnswerEvent[], facts: AnswerFacts & { finishReason: string }): string {
    if (hasGivenUp(facts.finishReason)) {
      return this.fail({
        message: `The engine gave up (finish reason "${facts.finishReason}").`,
        status: 502,
      });
    }
    const rest = this.write(events);
    const end = messageEnd(facts, this.#hasCalls, this.#context);
    return (
      rest +
      event('message_delta', {
        delta: { stop_reason: end.stopReason, stop_sequence: end.stopSequence },
        usage: messageUsage(facts.usage),
      }) +
      event('message_stop', {})
    );
  }

  fail({ status, message }: StreamFailure): string {
    return sseEvent('error', JSON.stringify(messagesError(status, message)));
  }

  #open(head: AnswerBeginning): string {
    this.#block = head.kind;
    if (head.kind === 'call') this.#hasCalls = true;
    const start = writeObject([
      ['type', '"content_block_start"'],
      ['index', String(this.#blockIndex)],
      ['content_block', writeBlock(head, '', '')],
    ]);
    return sseEvent('content_block_start', start);
  }

  #delta(delta: Record<string, string>): string {
    return event('content_block_delta', { index: this.#blockIndex, delta });
  }

  #close(): string {
    const signature =
      this.#block === 'reasoning'
        ? this.#delta({ type: 'signature_delta', signature: thinkingSignature })
        : '';
    const text = signature + event('content_block_stop', { index: this.#blockIndex });
    this.#block = undefined;
    this.#blockIndex += 1;
    return text;
  }
}

function event(type: string, members: Record<string, unknown>): string {
  return sseEvent(type, JSON.stringify({ type, ...members }));
}

function blockDelta(kind: AnswerBeginning['kind'] | undefined, text: string): Record<string, string> {
  if (kind === 'reasoning') return { type: 'thinking_delta', thinking: text };
  if (kind === 'call') return { type: 'input_json_delta', partial_json: text };
  return { type: 'text_delta', text };
}

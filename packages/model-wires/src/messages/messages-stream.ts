import { hasGivenUp } from '../chat/has-given-up.ts';
import { AnswerStream, type AnswerEvent } from '../chat/answer-stream.ts';
import { readChatReply, type ChatUsage } from '../chat/chat-reply.ts';
import { sseEvent } from '../chat/sse-event.ts';
import { messagesErrorType } from '../chat/wire-error-body.ts';
import type { StreamFailure, WireStream } from '../chat/wire-translation.ts';
import { messageEnd, messageUsage, thinkingSignature, type MessageContext } from './messages-reply.ts';

/** A chat stream as the events of the Messages wire. */
export class MessagesStream implements WireStream {
  readonly #context: MessageContext;
  readonly #answer: AnswerStream;
  #phase: 'new' | 'open' | 'ended' = 'new';
  #block: Extract<AnswerEvent, { event: 'open' }>['kind'] | undefined;
  #blockIndex = 0;
  #hasCalls = false;
  #usage: ChatUsage | undefined;
  #finishReason: string | undefined;
  #stopSequence: string | undefined;

  constructor(context: MessageContext) {
    this.#context = context;
    this.#answer = new AnswerStream(context.newId);
  }

  push(chunkJson: string): string {
    if (this.#phase === 'ended') return '';
    const chunk = readChatReply(chunkJson, 'delta');
    if (chunk.error !== undefined)
      return this.fail({ message: chunk.error.message, status: chunk.error.status ?? 502 });
    this.#usage = chunk.usage ?? this.#usage;
    this.#finishReason = chunk.finishReason ?? this.#finishReason;
    this.#stopSequence = chunk.stopSequence ?? this.#stopSequence;
    const begun = this.#begin(chunk.model);
    return chunk.speech === undefined ? begun : begun + this.#tell(this.#answer.push(chunk.speech));
  }

  finish(): string {
    if (this.#phase === 'ended') return '';
    if (this.#finishReason === undefined) {
      return this.fail({ message: "The engine's stream ended before its answer did.", status: 502 });
    }
    if (hasGivenUp(this.#finishReason)) {
      return this.fail({
        message: `The engine gave up (finish reason "${this.#finishReason}").`,
        status: 502,
      });
    }
    const rest = this.#begin(undefined) + this.#tell(this.#answer.finish());
    this.#phase = 'ended';
    const end = messageEnd(
      { finishReason: this.#finishReason, stopSequence: this.#stopSequence },
      this.#hasCalls,
      this.#context,
    );
    return (
      rest +
      event('message_delta', {
        delta: { stop_reason: end.stopReason, stop_sequence: end.stopSequence },
        usage: messageUsage(this.#usage),
      }) +
      event('message_stop', {})
    );
  }

  fail(failure: StreamFailure): string {
    if (this.#phase === 'ended') return '';
    this.#phase = 'ended';
    return event('error', { error: { type: messagesErrorType(failure.status), message: failure.message } });
  }

  #begin(model: string | undefined): string {
    if (this.#phase !== 'new') return '';
    this.#phase = 'open';
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

  #tell(events: readonly AnswerEvent[]): string {
    let text = '';
    for (const told of events) {
      if (told.event === 'open') text += this.#open(told);
      else if (told.event === 'delta') text += this.#delta(blockDelta(this.#block, told.text));
      else text += this.#close();
    }
    return text;
  }

  #open(opened: Extract<AnswerEvent, { event: 'open' }>): string {
    this.#block = opened.kind;
    if (opened.kind === 'call') this.#hasCalls = true;
    return event('content_block_start', { index: this.#blockIndex, content_block: emptyBlock(opened) });
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

function emptyBlock(opened: Extract<AnswerEvent, { event: 'open' }>): Record<string, unknown> {
  switch (opened.kind) {
    case 'reasoning':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'call':
      return { type: 'tool_use', id: opened.callId, name: opened.name, input: {} };
    case 'text':
    case 'refusal':
      return { type: 'text', text: '' };
  }
}

function blockDelta(
  kind: Extract<AnswerEvent, { event: 'open' }>['kind'] | undefined,
  text: string,
): Record<string, string> {
  if (kind === 'reasoning') return { type: 'thinking_delta', thinking: text };
  if (kind === 'call') return { type: 'input_json_delta', partial_json: text };
  return { type: 'text_delta', text };
}

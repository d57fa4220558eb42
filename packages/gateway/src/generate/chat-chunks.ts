import type { TurnDelta } from '../parsers/turn-stream.ts';
import {
  finalFields,
  finishReason,
  logprobsOf,
  usageOf,
  type AnswerHead,
  type ChatAnswer,
} from './chat-answer.ts';

/** Writes server-sent events of a streamed answer in vLLM's chat shape. */
export class ChatChunks {
  readonly #head: AnswerHead;

  constructor(head: AnswerHead) {
    this.#head = head;
  }

  /** The first event: who speaks, and what the prompt was. */
  opening(promptIds: Int32Array): string {
    return this.#event({
      prompt_token_ids: Array.from(promptIds),
      choices: [choice({ role: 'assistant', content: '' })],
    });
  }

  /** What has become certain; the tokens from `from` to before `to` come with it. */
  delta(answer: Pick<ChatAnswer, 'turn' | 'tokenText'>, delta: TurnDelta, from: number, to: number): string {
    return this.#event({
      choices: [
        {
          ...choice(members(delta)),
          logprobs: logprobsOf(answer, from, to),
          token_ids: answer.turn.ids.slice(from, to),
        },
      ],
    });
  }

  /** A whole answer at once, in as few events as clients expect it in. */
  whole(answer: ChatAnswer): string {
    const { parsed, turn } = answer;
    const delta = { content: parsed.content ?? '', reasoning: '' };
    const reasoning = this.#said({ content: '', reasoning: parsed.reasoning ?? '' });
    return reasoning + this.delta(answer, delta, 0, turn.ids.length) + this.ending(answer);
  }

  /** What is left of an answer: its last text, its calls and why it ended. */
  ending(answer: ChatAnswer, rest: TurnDelta = { content: '', reasoning: '' }): string {
    const calls = answer.toolCalls.map((call, index) =>
      this.#event({ choices: [choice({ tool_calls: [{ index, ...call }] })] }),
    );
    return this.#said(rest) + calls.join('') + this.#closing(answer);
  }

  #said(delta: TurnDelta): string {
    const said = members(delta);
    return Object.keys(said).length === 0 ? '' : this.#event({ choices: [choice(said)] });
  }

  #closing(answer: ChatAnswer): string {
    const { turn, call } = answer;
    const version = turn.weightVersion === undefined ? {} : { weight_version: turn.weightVersion };
    const last = this.#event({
      choices: [{ ...choice({}), finish_reason: finishReason(answer), ...finalFields(turn) }],
      ...version,
    });
    const usage = call.includeUsage ? this.#event({ choices: [], usage: usageOf(answer) }) : '';
    return `${last}${usage}data: [DONE]\n\n`;
  }

  #event(members: Record<string, unknown>): string {
    const { id, created, model } = this.#head;
    return `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created, model, ...members })}\n\n`;
  }
}

function members({ content, reasoning }: TurnDelta): Record<string, string> {
  return {
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(content === '' ? {} : { content }),
  };
}

function choice(delta: Record<string, unknown>): Record<string, unknown> {
  return { index: 0, delta, logprobs: null, finish_reason: null };
}

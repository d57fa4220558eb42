import type { TurnDelta } from '../parsers/turn-stream.ts';
import {
  finalFields,
  finishReason,
  logprobsOf,
  usageOf,
  type AnswerChoice,
  type AnswerHead,
  type ChatAnswer,
  type TokenText,
} from './chat-answer.ts';
import type { SampledTurn } from '../sampling/sampled-turn.ts';

/** Writes server-sent events of a streamed answer in vLLM's chat shape. */
export class ChatChunks {
  readonly #head: AnswerHead;
  readonly #tokenText: TokenText;

  constructor(head: AnswerHead, tokenText: TokenText) {
    this.#head = head;
    this.#tokenText = tokenText;
  }

  /** The first event: who speaks, and what the prompt was. */
  opening(promptIds: Int32Array, choiceCount: number): string {
    return this.#event({
      prompt_token_ids: Array.from(promptIds),
      choices: Array.from({ length: choiceCount }, (_, index) =>
        bare(index, { role: 'assistant', content: '' }),
      ),
    });
  }

  /** What has become certain; the tokens from `from` to before `to` come with it. */
  delta(
    { turn, index = 0 }: { turn: SampledTurn; index?: number },
    delta: TurnDelta,
    from: number,
    to: number,
  ): string {
    return this.#event({
      choices: [
        {
          ...bare(index, members(delta)),
          logprobs: logprobsOf(turn, this.#tokenText, from, to),
          token_ids: turn.ids.slice(from, to),
        },
      ],
    });
  }

  /** A whole answer at once, in as few events as clients expect it in. */
  whole(answer: ChatAnswer): string {
    const said = answer.choices.map((choice) => {
      const { parsed, turn, index } = choice;
      const reasoning = this.#said(index, { content: '', reasoning: parsed.reasoning ?? '' });
      const content = { content: parsed.content ?? '', reasoning: '' };
      return reasoning + this.delta(choice, content, 0, turn.ids.length);
    });
    return this.opening(answer.promptIds, answer.choices.length) + said.join('') + this.ending(answer);
  }

  /** What is left of an answer: its last text, its calls and why it ended. */
  ending(answer: ChatAnswer, rest: TurnDelta = { content: '', reasoning: '' }): string {
    const ends = answer.choices.map((choice) => {
      const calls = choice.toolCalls.map((call, index) =>
        this.#event({ choices: [bare(choice.index, { tool_calls: [{ index, ...call }] })] }),
      );
      return calls.join('') + this.#last(choice);
    });
    const usage = answer.call.includeUsage ? this.#event({ choices: [], usage: usageOf(answer) }) : '';
    return `${this.#said(0, rest)}${ends.join('')}${usage}data: [DONE]\n\n`;
  }

  #said(index: number, delta: TurnDelta): string {
    const said = members(delta);
    return Object.keys(said).length === 0 ? '' : this.#event({ choices: [bare(index, said)] });
  }

  #last(choice: AnswerChoice): string {
    const { turn, index } = choice;
    return this.#event({
      choices: [{ ...bare(index, {}), finish_reason: finishReason(choice), ...finalFields(turn) }],
      ...(turn.weightVersion === undefined ? {} : { weight_version: turn.weightVersion }),
    });
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

function bare(index: number, delta: Record<string, unknown>): Record<string, unknown> {
  return { index, delta, logprobs: null, finish_reason: null };
}

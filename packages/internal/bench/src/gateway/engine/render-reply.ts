import type { CallModel } from './call-model.ts';
import { conversationTokens, promptTokensOf, sampledText, sampledTokens } from './conversation.ts';
import { SampleText } from './sample-text.ts';
import { SampleTokens } from './sample-tokens.ts';

const bytesPerToken = 4;
const eventHead =
  '"id":"chatcmpl-7f3a","object":"chat.completion.chunk","created":1760000000,"model":"mock","choices"';

/** Renders what vLLM's chat route answers, out of parts that are rendered once. */
export class ReplyRenderer {
  readonly tokens = new SampleTokens();
  readonly #text = new SampleText();
  readonly #whole = new Map<string, Buffer>();

  /** A whole reply; those that do not belong to a conversation are rendered once. */
  whole(model: Exclude<CallModel, { kind: 'stream' }>): Buffer[] {
    if (model.kind === 'turn') return this.#turn(model.conversation, model.turn);
    const { promptTokens, completionTokens } = model;
    const key = `${promptTokens}+${completionTokens}`;
    let reply = this.#whole.get(key);
    if (reply === undefined) {
      const content = this.#text.piece(7, completionTokens * bytesPerToken);
      reply = Buffer.concat(this.#reply(0, promptTokens, completionTokens, content));
      this.#whole.set(key, reply);
    }
    return [reply];
  }

  /** The first event of a stream, with the ids of the prompt. */
  firstEvent(promptTokens: number): Buffer {
    const choice = '"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null';
    return Buffer.concat([
      Buffer.from(`data: {${eventHead}:[{${choice}}],"prompt_token_ids":[`),
      this.tokens.idsJson(0, promptTokens),
      Buffer.from('],"prompt_text":null}\n\n'),
    ]);
  }

  /** The event of a sampled token; its text is the stamp. */
  tokenEvent(promptTokens: number, index: number, stamp: string): string {
    const place = promptTokens + index;
    const logprob = this.tokens.logprobsJson(place, 1).toString('latin1');
    const id = this.tokens.idsJson(place, 1).toString('latin1');
    return `data: {${eventHead}:[{"index":0,"delta":{"content":"${stamp}"},"logprobs":{"content":[${logprob}]},"finish_reason":null,"token_ids":[${id}]}]}\n\n`;
  }

  /** The token that ends the turn, which has no text, and what follows it. */
  lastEvents(promptTokens: number, index: number): string {
    const place = promptTokens + index;
    const logprob = this.tokens.logprobsJson(place, 1).toString('latin1');
    const id = this.tokens.idsJson(place, 1).toString('latin1');
    const choice = `"index":0,"delta":{},"logprobs":{"content":[${logprob}]},"finish_reason":"stop","stop_reason":null,"token_ids":[${id}]`;
    return `data: {${eventHead}:[{${choice}}]}\n\ndata: [DONE]\n\n`;
  }

  #turn(conversation: number, turn: number): Buffer[] {
    const start = this.tokens.startOf(conversation, conversationTokens);
    const content = sampledText(this.#text, conversation, turn);
    return this.#reply(start, promptTokensOf(turn), sampledTokens, content);
  }

  #reply(start: number, promptTokens: number, completionTokens: number, content: Buffer): Buffer[] {
    const completionStart = start + promptTokens;
    return [
      Buffer.from(
        '{"id":"chatcmpl-7f3a","object":"chat.completion","created":1760000000,"model":"mock","choices":[{"index":0,"message":{"role":"assistant","content":"',
      ),
      content,
      Buffer.from(
        '","refusal":null,"annotations":null,"audio":null,"function_call":null,"reasoning":null},"logprobs":{"content":[',
      ),
      this.tokens.logprobsJson(completionStart, completionTokens),
      Buffer.from(']},"finish_reason":"stop","stop_reason":null,"token_ids":['),
      this.tokens.idsJson(completionStart, completionTokens),
      Buffer.from(
        `],"routed_experts":null}],"service_tier":null,"system_fingerprint":"vllm-0.32.0-00000000","usage":{"prompt_tokens":${promptTokens},"total_tokens":${promptTokens + completionTokens},"completion_tokens":${completionTokens},"prompt_tokens_details":null,"completion_tokens_details":null},"prompt_logprobs":null,"prompt_token_ids":[`,
      ),
      this.tokens.idsJson(start, promptTokens),
      Buffer.from('],"prompt_text":null,"kv_transfer_params":null,"ec_transfer_params":null,"metrics":null}'),
    ];
  }
}

import { describe, expect, it } from 'vitest';
import { turnBody } from '../load/call-body.ts';
import { conversationTokens, promptTokensOf, sampledTokens } from './conversation.ts';
import { ReplyRenderer } from './render-reply.ts';
import { SampleText } from './sample-text.ts';

interface Reply {
  prompt_token_ids: number[];
  choices: [
    {
      message: { content: string };
      token_ids: number[];
      logprobs: { content: { token: string; logprob: number; bytes: number[] }[] };
    },
  ];
}

const renderer = new ReplyRenderer();

function read(parts: readonly Buffer[]): Reply {
  return JSON.parse(Buffer.concat(parts).toString()) as Reply;
}

describe('ReplyRenderer', () => {
  it('writes JSON with an id and a logprob for each token', () => {
    const model = { kind: 'whole', promptTokens: 300, completionTokens: 40, delayMs: 0 } as const;
    const reply = read(renderer.whole(model));
    expect(reply.prompt_token_ids).toEqual([...renderer.tokens.ids(0, 300)]);
    const [choice] = reply.choices;
    expect(choice.token_ids).toEqual([...renderer.tokens.ids(300, 40)]);
    expect(choice.logprobs.content).toHaveLength(40);
    for (const { token, logprob, bytes } of choice.logprobs.content) {
      expect(logprob).toBeLessThanOrEqual(0);
      expect(Buffer.from(bytes).toString()).toBe(token);
    }
  });

  it('continues a conversation with the tokens and the text of the turn before', () => {
    const first = read(renderer.whole({ kind: 'turn', conversation: 7, turn: 3 }));
    const second = read(renderer.whole({ kind: 'turn', conversation: 7, turn: 4 }));
    const before = [...first.prompt_token_ids, ...first.choices[0].token_ids];
    expect(first.choices[0].token_ids).toHaveLength(sampledTokens);
    expect(second.prompt_token_ids).toHaveLength(promptTokensOf(4));
    expect(second.prompt_token_ids.slice(0, before.length)).toEqual(before);
    const request = JSON.parse(turnBody(7, 4, new SampleText()).toString()) as {
      messages: { role: string; content: string }[];
    };
    expect(request.messages).toHaveLength(9);
    expect(request.messages.at(-2)).toEqual({
      role: 'assistant',
      content: first.choices[0].message.content,
    });
  });

  it('ends conversations at the tokens that the memory is measured with', () => {
    const last = read(renderer.whole({ kind: 'turn', conversation: 0, turn: 19 }));
    expect(last.prompt_token_ids.length + last.choices[0].token_ids.length).toBe(conversationTokens);
    const other = read(renderer.whole({ kind: 'turn', conversation: 1, turn: 19 }));
    expect(other.prompt_token_ids).not.toEqual(last.prompt_token_ids);
  });

  it('writes events that are JSON', () => {
    const events = `${renderer.firstEvent(20).toString()}${renderer.tokenEvent(20, 0, '@1@')}${renderer.lastEvents(20, 1)}`;
    const data = events.trimEnd().split('\n\n');
    expect(data.at(-1)).toBe('data: [DONE]');
    const [head, token] = data
      .slice(0, -1)
      .map((event) => JSON.parse(event.slice(6)) as Record<string, unknown>);
    expect(head).toMatchObject({ prompt_token_ids: [...renderer.tokens.ids(0, 20)] });
    expect(token).toMatchObject({
      choices: [{ delta: { content: '@1@' }, token_ids: [...renderer.tokens.ids(20, 1)] }],
    });
  });
});

import { describe, expect, it } from 'vitest';
import { capturedTokens, expectSameTokens, sentTokens } from './compare-captures.ts';
import { startGatewayBed, type GatewayBed } from './gateway-bed.fixture.ts';

async function post(bed: GatewayBed, path: string, body: object): Promise<string> {
  const reply = await fetch(`${bed.gateway.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  expect([reply.status, text]).toEqual([200, expect.any(String)]);
  return text;
}

const messages = [{ role: 'user', content: 'Ωmega 🙂 "quoted" \\ and \u0007' }];
const speech = (_request: unknown, call: number, choice: number): { content: string; reasoning: string } => ({
  reasoning: `thinking of call ${call}`,
  content: `choice ${choice} says 🧮 — "enough"\n\tof that.`,
});

describe.each(['vllm', 'sglang'] as const)('%s', (flavour) => {
  it.each([
    ['chat', false, 1],
    ['chat', true, 1],
    ['chat', false, 3],
    ['chat', true, 3],
    ['completions', false, 1],
    ['completions', true, 1],
    ['completions', false, 2],
    ['completions', true, 2],
  ] as const)('%s, stream %s, n = %i: every choice is captured', async (wire, stream, n) => {
    const bed = await startGatewayBed({ flavour, answer: speech });
    const path = `/sessions/s/v1/${wire === 'chat' ? 'chat/completions' : 'completions'}`;
    const body = wire === 'chat' ? { messages } : { prompt: 'Once upon a time' };
    await post(bed, path, { model: 'm', ...body, stream, ...(n > 1 && { n }) });
    await post(bed, path, { model: 'm', ...body, stream, ...(n > 1 && { n }) });
    expect(bed.engine.calls).toHaveLength(2);
    expectSameTokens(await bed.captures('s'), bed.engine.calls);
    expect(await bed.captures('s')).toHaveLength(2 * n);
  });

  it('keeps what the agent asked for, and takes out the rest', async () => {
    const bed = await startGatewayBed({ flavour, answer: speech });
    const plain = JSON.parse(await post(bed, '/sessions/s/v1/chat/completions', { messages })) as Reply;
    expect(plain.choices[0]).not.toHaveProperty('token_ids');
    expect(plain.choices[0]?.logprobs ?? null).toBeNull();
    const asked = JSON.parse(
      await post(bed, '/sessions/s/v1/chat/completions', {
        messages,
        logprobs: true,
        return_token_ids: true,
      }),
    ) as Reply;
    const choice = bed.engine.calls[1]!.answer!.choices[0]!;
    expect(asked.choices[0]?.logprobs?.content.map((token) => token.logprob)).toEqual(
      choice.tokens.map((token) => token.logprob),
    );
    expect(asked.choices[0]?.token_ids).toEqual(choice.tokens.map((token) => token.id));
    expectSameTokens(await bed.captures('s'), bed.engine.calls);
  });

  it('is captured though the agent says logprobs: false', async () => {
    const bed = await startGatewayBed({ flavour, answer: speech });
    for (const stream of [false, true]) {
      await post(bed, '/sessions/s/v1/chat/completions', { messages, logprobs: false, stream });
    }
    expect(bed.engine.calls).toHaveLength(2);
    expectSameTokens(await bed.captures('s'), bed.engine.calls);
  });

  it('keeps a refusal in the engine’s own words, and leaves no capture of it', async () => {
    const message = 'This model has no tokens to spare.';
    const bed = await startGatewayBed({ flavour, fault: () => ({ kind: 'refuse', status: 400, message }) });
    for (const stream of [false, true]) {
      const reply = await fetch(`${bed.gateway.url}/sessions/s/v1/chat/completions`, {
        method: 'POST',
        body: JSON.stringify({ messages, stream }),
      });
      expect(reply.status).toBe(400);
      expect(Buffer.from(await reply.arrayBuffer())).toEqual(bed.engine.calls.at(-1)!.sent);
    }
    expect(await bed.captures('s')).toEqual([]);
  });

  it('breaks off in mid-answer: what came is kept and marked, never taken for a whole turn', async () => {
    const bed = await startGatewayBed({
      flavour,
      answer: speech,
      fault: (_request, call) => (call === 1 ? { kind: 'cut', afterBytes: 1_500 } : undefined),
    });
    const reply = await fetch(`${bed.gateway.url}/sessions/s/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ messages, stream: true }),
    });
    expect(await reply.text().catch(() => '')).not.toContain('[DONE]');
    const [partial] = capturedTokens(await bed.captures('s'));
    const [sent] = sentTokens(bed.engine.calls);
    expect(partial?.capture ?? 'partial').toBe('partial');
    const ids = partial?.completion_token_ids ?? [];
    expect(ids).toEqual(sent!.completion_token_ids.slice(0, ids.length));
    // vLLM sends ids with each event, so that some are there already.
    if (flavour === 'vllm') expect(ids.length).toBeGreaterThan(0);
  });
});

interface Reply {
  choices: { token_ids?: number[]; logprobs?: { content: { logprob: number }[] } | null }[];
}

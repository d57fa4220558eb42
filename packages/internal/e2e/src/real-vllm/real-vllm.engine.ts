import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '@art/gateway';
import { GatewayClient } from '@art/gateway-client';
import {
  largestGap,
  makeModels,
  postJson,
  promptLogprobs,
  startEngine,
  torchLogprobs,
  type EngineBed,
  type TinyModels,
} from './engine-bed.ts';
import { playSessions } from './continued-sessions.ts';
import { engineCases, modelId } from './engine-cases.ts';
import { prepareMachine } from './machine-setup.ts';
import { playManyCalls } from './many-calls.ts';
import { capturedOf, continuedTurns, playCase } from './play-case.ts';
import { differencesFromVllm } from '@art/tooling/vllm-dialect';
import { type RecordedCase, writeVllmRecording, type SampledTokens } from '@art/tooling/vllm-recording';
import { sampledTokens } from '@art/tooling/sampled-tokens';

// `ART_RECORD=1` writes what the engine sends; without it, it is compared with what is recorded.
const isRecording = process.env['ART_RECORD'] === '1';
const callCount = Number(process.env['ART_ENGINE_CALLS'] ?? 1_000);
const mostGap = 1e-4;

const played = new Map<string, RecordedCase>();
/** Tokens that were drawn from what the model gives. */
const unbiased: SampledTokens[] = [];
let models: TinyModels;

beforeAll(async () => {
  await prepareMachine();
  models = await makeModels();
});

afterAll(async () => {
  if (isRecording && played.size === engineCases.length)
    await writeVllmRecording(engineCases.map(({ name }) => played.get(name)!));
  await models?.[Symbol.asyncDispose]();
});

describe('vLLM', () => {
  let bed: EngineBed;

  beforeAll(async () => {
    bed = await startEngine(models);
  });
  afterAll(() => bed?.[Symbol.asyncDispose]());

  it.each(engineCases)('$name', async (engineCase) => {
    bed.proxy.take();
    const { said, captures, rows } = await playCase(engineCase, { engineUrl: bed.proxy.url });
    const exchanges = bed.proxy.take().filter(isFirstOfItsKind);
    const tokens = sampledTokens(exchanges);
    played.set(engineCase.name, { name: engineCase.name, exchanges, tokens, said });
    expect(capturedOf(captures)).toEqual(tokens);
    expect(captures.map(({ capture_problems: problems }) => problems ?? [])).toEqual(tokens.map(() => []));
    expect(rows.length).toBeLessThanOrEqual(tokens.length);
    expect(continuedTurns(tokens)).toBeGreaterThanOrEqual(
      engineCase.cumulative === true ? tokens.length - 1 : 0,
    );
    await expectSameAgain(bed.engine.url, exchanges);
    const drawn = engineCase.isUnbiased === false ? [] : tokens;
    unbiased.push(...drawn);
    expect(largestGap(logprobsOf(drawn), await promptLogprobs(bed.engine.url, drawn))).toBeLessThan(mostGap);
    // What mocks are held to: a newer engine may say it otherwise.
    const compared = isRecording ? [] : exchanges;
    expect(compared.flatMap(differencesFromVllm)).toEqual([]);
  });

  it('PyTorch gives the same logprobs', async () => {
    const gap = largestGap(logprobsOf(unbiased), await torchLogprobs(models, models.first, unbiased));
    console.log(`${unbiased.flatMap(({ tokenIds }) => tokenIds).length} tokens, largest difference ${gap}`);
    expect(gap).toBeLessThan(mostGap);
  });

  it('new weights in the middle of a session', async () => {
    const gateway = await startGateway({ port: 0, logLevel: 'silent', workers: [{ url: bed.engine.url }] });
    try {
      const control = new GatewayClient({ url: gateway.url });
      const call = (): Promise<string> =>
        postJson(`${gateway.url}/sessions/weights/v1/chat/completions`, greeting({ max_tokens: 8 }));
      for (const [version, weights] of [models.first, models.second, models.first].entries()) {
        await bed.engine.loadWeights(weights, AbortSignal.timeout(60_000));
        await control.setWeightVersion(version);
        await call();
      }
      const captures = await control.captures('weights');
      expect(captures.map((capture) => capture.weight_version)).toEqual([0, 1, 2]);
      const tokens = capturedOf(captures);
      const [first, second] = await Promise.all(
        [models.first, models.second].map((weights) => torchLogprobs(models, weights, tokens)),
      );
      expect(largestGap(logprobsOf(tokens), [first![0]!, second![1]!, first![2]!])).toBeLessThan(mostGap);
      // The other weights would have been noticed.
      expect(largestGap([tokens[1]!.logprobs], [first![1]!])).toBeGreaterThan(0.1);
    } finally {
      await gateway.close();
    }
  });

  it('a hundred sessions continue over a restart of the gateway', { timeout: 900_000 }, async () => {
    const count = 100;
    const without = await playSessions(bed.engine.url, count, false);
    const { tokens, ...played } = await playSessions(bed.engine.url, count, true);
    console.log(`${count} sessions of 3 turns, the last one forked`);
    console.table({ 'as the engine renders': { ...without, tokens: undefined }, 'by their tokens': played });
    expect(played.continued).toBe(3 * count);
    expect(without.continued).toBeLessThan(played.continued);
    // Both ends of the fork, and each token that was sampled trains in one of them.
    expect(played.rows).toBe(2 * count);
    expect(without.rows).toBeGreaterThan(played.rows);
    expect(played.trainedTokens).toBe(tokens.flatMap(({ tokenIds }) => tokenIds).length);
    for (let at = 0; at < tokens.length; at += 64) {
      const some = tokens.slice(at, at + 64);
      expect(largestGap(logprobsOf(some), await promptLogprobs(bed.engine.url, some))).toBeLessThan(mostGap);
    }
  });

  it('an agent that leaves in mid-stream: the engine stops, and what came is kept', async () => {
    const gateway = await startGateway({ port: 0, logLevel: 'silent', workers: [{ url: bed.engine.url }] });
    try {
      const control = new GatewayClient({ url: gateway.url });
      const leaving = new AbortController();
      const reply = await fetch(`${gateway.url}/sessions/left/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(greeting({ max_tokens: 1_000, stream: true, ignore_eos: true })),
        signal: leaving.signal,
      });
      expect(reply.status).toBe(200);
      const reader = reply.body!.getReader();
      for (let events = 0; events < 5; events += 1) await reader.read();
      leaving.abort();
      const captures = await expect
        .poll(() => control.captures('left'), { timeout: 20_000 })
        .toHaveLength(1)
        .then(() => control.captures('left'));
      expect(captures[0]).toMatchObject({ capture: 'partial' });
      const [left] = capturedOf(captures);
      expect(left!.tokenIds.length).toBeGreaterThan(0);
      expect(left!.tokenIds.length).toBeLessThan(1_000);
      expect(largestGap([left!.logprobs], await promptLogprobs(bed.engine.url, [left!]))).toBeLessThan(
        mostGap,
      );
      await expect.poll(() => runningRequests(bed.engine.url), { timeout: 20_000 }).toBe(0);
    } finally {
      await gateway.close();
    }
  });

  it(`${callCount} calls: every id and logprob`, { timeout: 900_000 }, async () => {
    const { tokens, differing, seconds } = await playManyCalls(bed, callCount);
    expect(differing).toEqual([]);
    let gap = 0;
    for (let at = 0; at < tokens.length; at += 64) {
      const some = tokens.slice(at, at + 64);
      gap = Math.max(gap, largestGap(logprobsOf(some), await promptLogprobs(bed.engine.url, some)));
    }
    const ids = tokens.reduce((sum, { tokenIds }) => sum + tokenIds.length, 0);
    console.log(
      `${callCount} calls in ${seconds.toFixed(0)} s, ${tokens.length} choices, ${ids} tokens, against prompt_logprobs at most ${gap}`,
    );
    expect(gap).toBeLessThan(mostGap);
  });
});

/** The same calls once more, without the gateway: they sample the same, as temperature or seed say so. */
async function expectSameAgain(engineUrl: string, exchanges: RecordedCase['exchanges']): Promise<void> {
  for (const exchange of exchanges) {
    const tokens = sampledTokens([exchange]);
    if (tokens.length === 0) continue;
    const text = await postJson(`${engineUrl}${exchange.path}`, exchange.request);
    const again = sampledTokens([{ ...exchange, pieces: [text] }]);
    expect(again.map(({ tokenIds }) => tokenIds)).toEqual(tokens.map(({ tokenIds }) => tokenIds));
    expect(largestGap(logprobsOf(again), logprobsOf(tokens))).toBeLessThan(mostGap);
  }
}

function greeting(more: object): object {
  return { model: modelId, messages: [{ role: 'user', content: 'Hi' }], temperature: 1, ...more };
}

function logprobsOf(tokens: readonly SampledTokens[]): (readonly number[])[] {
  return tokens.map(({ logprobs }) => logprobs);
}

/**
 * True for the first exchange of its kind: of the questions that a gateway asks of an engine, again and again, the recording has one: what
 * models there are.
 */
function isFirstOfItsKind(
  exchange: RecordedCase['exchanges'][number],
  index: number,
  all: RecordedCase['exchanges'],
): boolean {
  return (
    exchange.method !== 'GET' ||
    (exchange.path === '/v1/models' &&
      all.findIndex(({ method, path }) => method === 'GET' && path === exchange.path) === index)
  );
}

async function runningRequests(engineUrl: string): Promise<number> {
  const metrics = await (await fetch(`${engineUrl}/metrics`)).text();
  const values = metrics.split('\n').filter((line) => line.startsWith('vllm:num_requests_running{'));
  return values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

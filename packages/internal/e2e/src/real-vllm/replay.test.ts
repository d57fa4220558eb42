import { expect, it } from 'vitest';
import { engineCases } from './engine-cases.ts';
import { capturedOf, continuedTurns, playCase } from './play-case.ts';
import { readVllmRecording } from '@art/tooling/vllm-recording';
import { ReplayEngine } from './replay-engine.ts';
import { sampledTokens } from '@art/tooling/sampled-tokens';

const recorded = new Map(readVllmRecording().map((recordedCase) => [recordedCase.name, recordedCase]));

it('every case is recorded, and nothing else', () => {
  expect([...recorded.keys()].toSorted()).toEqual(engineCases.map(({ name }) => name).toSorted());
});

it.each(engineCases)('$name: as the real vLLM sent it', async (engineCase) => {
  const { exchanges, tokens, said } = recorded.get(engineCase.name)!;
  expect(sampledTokens(exchanges)).toEqual(tokens);
  await using engine = await ReplayEngine.start(exchanges);
  const played = await playCase(engineCase, { engineUrl: engine.url });
  expect(engine.unexpected).toEqual([]);
  expect(engine.missing).toEqual([]);
  expect(played.said).toEqual(said);
  expect(capturedOf(played.captures)).toEqual(tokens);
  expect(played.captures.map(({ capture, capture_problems: problems }) => [capture, problems ?? []])).toEqual(
    tokens.map(() => ['complete', []]),
  );
  expect(played.rows.length).toBeLessThanOrEqual(tokens.length);
  expect(continuedTurns(tokens)).toBeGreaterThanOrEqual(
    engineCase.cumulative === true ? tokens.length - 1 : 0,
  );
});

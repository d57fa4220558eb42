import { join } from 'node:path';
import { shortlist } from '@art/tooling/thorough';
import { describe, expect, it } from 'vitest';
import { runPython } from '../interop/run-python.ts';
import { expectSameTokens } from './compare-captures.ts';
import { startGatewayBed } from './gateway-bed.fixture.ts';
import { isPythonMissing, pythonExecutable } from './provided-gateway-python.fixture.ts';
import { expectedCalls, finalText, question, sumParameters } from './sums-script.ts';

const script = join(import.meta.dirname, 'python/play_sums.py');
const agents = ['openai chat', 'openai responses', 'anthropic'] as const;
const plays = agents.flatMap((agent) => [false, true].map((stream) => ({ agent, stream })));

describe.skipIf(isPythonMissing)('agents in Python', () => {
  it.each(
    shortlist(
      [
        ['vllm', 'URL'],
        ['sglang', 'key'],
      ],
      1,
    ),
  )('play through the sums before %s, session by %s', async (flavour, by) => {
    // One gateway before an engine for each session: which one is theirs shows in the captures.
    const beds = await Promise.all(plays.map(() => startGatewayBed({ flavour })));
    const runs = await Promise.all(
      plays.map(async (play, at) => {
        const { control, gateway } = beds[at]!;
        const session = await control.createSession({ sessionId: 'rollout-1' });
        return by === 'URL'
          ? {
              ...play,
              openai_url: session.baseUrl,
              anthropic_url: session.anthropicBaseUrl,
              api_key: 'unused',
            }
          : { ...play, openai_url: `${gateway.url}/v1`, anthropic_url: gateway.url, api_key: session.apiKey };
      }),
    );
    const played = await runPython({
      executable: pythonExecutable,
      script,
      env: {},
      input: { question, parameters: sumParameters, runs },
    });
    expect(played).toEqual(plays.map(() => ({ text: finalText, calls: expectedCalls })));
    for (const { engine, captures } of beds) {
      expect(engine.calls).toHaveLength(3);
      expectSameTokens(await captures('rollout-1'), engine.calls);
    }
  });
});

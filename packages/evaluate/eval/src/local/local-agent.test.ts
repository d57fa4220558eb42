import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readTranscript } from '../records/transcript-record.ts';
import { evaluate } from '../run/evaluate.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { localAgent, type EvaluatedLocalAgentOptions } from './local-agent.ts';

const agent = join(import.meta.dirname, 'pid-agent.fixture.ts');
const env = { NODE_OPTIONS: '--conditions=@art/source --no-warnings' };

async function pidsOf(
  options: EvaluatedLocalAgentOptions,
  payloads: Record<string, unknown>[],
): Promise<unknown[]> {
  const folder = join(await temporaryFolder(), 'run');
  await using opened = await localAgent(agent, { env, ...options });
  const tasks = payloads.map((payload, at) => ({ id: `t${at}`, payload }));
  const run = await evaluate({ agent: opened, tasks, folder, concurrency: 2 });
  expect(run.results.outcomes).toEqual({ ok: payloads.length });
  const pids: unknown[] = [];
  for await (const { transcript } of run.samples())
    pids.push((await readTranscript(folder, transcript!)).document!['pid']);
  return pids;
}

it('has a process for each session', async () => {
  expect(new Set(await pidsOf({ wire: 'rip' }, [{}, {}])).size).toBe(2);
});

it('or one for all, which is started again when it falls', async () => {
  const fallsOnce = join(await temporaryFolder(), 'fallen');
  const pids = await pidsOf({ sessions: 'server' }, [{}, {}, { fallsOnce }, {}]);
  expect(new Set(pids).size).toBe(2);
});

it('excludes and counts rewards that are no numbers; none is a 0', async () => {
  const folder = join(await temporaryFolder(), 'run');
  const sick = join(import.meta.dirname, 'sick-reward-agent.fixture.ts');
  await using opened = await localAgent(sick, { env, sessions: 'server' });
  const kinds = ['nan', 'infinite', 'text', 'null', 'empty', 'missing', 'last', 'good'];
  const tasks = kinds.map((kind) => ({ id: kind, payload: { kind } }));
  const { results } = await evaluate({ agent: opened, tasks, folder, onNotice: () => undefined });
  expect(results).toMatchObject({
    outcomes: { ok: 8 },
    mean: { value: 1, samples: 1 },
    excluded: {
      isTrusted: false,
      // The server writes null for a number that JSON does not have.
      byReason: { reward_not_a_number: 2, reward_absent: 4, reward_empty: 1 },
    },
  });
});

it('refuses what a server has no use for, and says why an agent does not start', async () => {
  for (const options of [{ wire: 's3' }, { warm: 2 }, { sessions: 'x' as never }] as const)
    await expect(localAgent(agent, { sessions: 'server', ...options })).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
    });
  await expect(localAgent('node -e "process.exit(3)"', { sessions: 'server' })).rejects.toMatchObject({
    code: 'ART_SESSION_START_FAILED',
    message: expect.stringMatching(/exited with code 3/) as string,
  });
});

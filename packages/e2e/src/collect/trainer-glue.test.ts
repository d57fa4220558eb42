import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pythonFolder } from '@art/collect';
import { expect, it } from 'vitest';
import { findPython } from '../interop/find-python.ts';
import { workspaceRoot } from '../readmes/readme.ts';
import { call, type CollectBed, startCollectBed } from './collect-bed.fixture.ts';

/** Runs a trainer's glue, with the trainer's own types restated, against a sidecar before a mock engine. */
async function drive(
  trainer: 'slime' | 'rllm' | 'prime-rl',
): Promise<{ told: unknown; bed: CollectBed; url: string }> {
  const bed = await startCollectBed();
  const { url } = await bed.startSidecar();
  const python = (await findPython())?.executable ?? 'python3';
  const glue = join(workspaceRoot, 'examples', 'trainers', trainer);
  const { stdout } = await promisify(execFile)(
    python,
    [join(import.meta.dirname, 'drive-glue.py'), trainer, url],
    {
      env: {
        ...process.env,
        PYTHONDONTWRITEBYTECODE: '1',
        PYTHONPATH: [pythonFolder, glue, join(import.meta.dirname, 'restated')].join(':'),
      },
    },
  );
  return { told: JSON.parse(stdout), bed, url };
}

/** What the engine sampled, by its first tokens' logprobs. */
const sampledIds = ({ engine }: CollectBed): string[] =>
  engine.calls.flatMap(({ answer }) =>
    (answer?.choices ?? []).map(({ tokens }) => tokens.map(({ id }) => id).join()),
  );

it('slime gets a sample for each that it asked for', { timeout: 60_000 }, async () => {
  const { told, bed, url } = await drive('slime');
  const { samples, metrics } = told as { samples: Record<string, unknown>[]; metrics: object };
  expect(samples).toMatchObject([
    {
      group_index: 0,
      index: 0,
      rollout_id: 0,
      reward: 1,
      status: 'completed',
      label: 'l',
      weight_versions: ['0'],
    },
    { group_index: 0, index: 1, rollout_id: 1, reward: 1, remove_sample: false },
    { group_index: 1, index: 2, rollout_id: 2, reward: 0, remove_sample: true, status: 'aborted' },
    { group_index: 1, index: 3, rollout_id: 3, reward: 0, remove_sample: true, loss_mask: [0] },
  ]);
  for (const { tokens, response_length: length, loss_mask: mask, rollout_log_probs: logprobs } of samples) {
    expect([(mask as number[]).length, (logprobs as number[]).length]).toEqual([length, length]);
    expect((tokens as number[]).length).toBeGreaterThan(length as number);
  }
  const { tokens, response_length: length } = samples[0]!;
  expect(sampledIds(bed)).toContain((tokens as number[]).slice(-(length as number)).join());
  expect(metrics).toEqual({ 'art/reward': 1, 'art/failed': 2 });
  expect(bed.engine.calls[0]!.request).toMatchObject({ temperature: 0.7, top_p: 0.9, max_tokens: 32 });
  // What was trained on when the next step is asked for is not sent again.
  expect((await call(url, 'GET', '/requests')).body).toMatchObject([
    { request_id: 'slime-0', state: 'done' },
    { request_id: 'slime-1', state: 'settled' },
  ]);
});

it(
  'rllm gets an episode for each task, without a trajectory where it failed',
  { timeout: 60_000 },
  async () => {
    const { told, bed, url } = await drive('rllm');
    const episodes = told as { trajectories: { steps: { response_ids: number[] }[] }[] }[];
    expect(episodes).toMatchObject([
      { id: 'x:0', task: { n: 1 }, is_correct: true, metrics: { empty: 0, steps_collected: 1 } },
      { id: 'x:1', trajectories: [{ reward: 1, steps: [{ done: true, reward: 1, weight_version: 3 }] }] },
      { id: 'y:0', is_correct: false, trajectories: [], metrics: { empty: 1 } },
      { id: 'y:1', trajectories: [] },
    ]);
    expect(sampledIds(bed)).toContain(episodes[0]!.trajectories[0]!.steps[0]!.response_ids.join());
    expect((await call(url, 'GET', '/requests')).body).toMatchObject([
      { request_id: 'rllm-train-3-1', state: 'done' },
      { request_id: 'rllm-val-3-2', state: 'settled' },
    ]);
  },
);

it('prime-rl gets samples whose lists are as long as their tokens', { timeout: 60_000 }, async () => {
  const { told } = await drive('prime-rl');
  const { samples, experts } = told as { samples: Record<string, unknown[]>[]; experts: number[] };
  expect(samples).toHaveLength(2);
  for (const { env_name: envName, token_ids: ids, routed_experts: routed, ...lists } of samples) {
    expect([envName, routed]).toEqual(['sums', null]);
    for (const list of Object.values(lists)) expect(list).toHaveLength(ids!.length);
  }
  expect(experts).toEqual([0, 1, 2, 3]);
});

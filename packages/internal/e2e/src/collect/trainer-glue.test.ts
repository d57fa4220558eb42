import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pythonFolder } from '@art/collect';
import { expect, it, onTestFinished } from 'vitest';
import { usePlainPython } from '../interop/plain-python.fixture.ts';
import { workspaceRoot } from '../workspace-root.ts';
import { type CollectBed, startCollectBed } from './collect-bed.fixture.ts';

const python = usePlainPython();

const glueOf = {
  slime: 'examples/trainers/slime',
  'slime-forks': 'examples/trainers/slime',
  trl: 'examples/trainers/trl',
  'trl-async': 'examples/trainers/trl',
  rllm: 'examples/trainers/rllm',
  'prime-rl': 'examples/trainers/prime-rl',
};

/** Runs a trainer's glue, with the trainer's own types restated, against a sidecar before a mock engine. */
async function drive(trainer: keyof typeof glueOf): Promise<{ told: unknown; bed: CollectBed }> {
  const bed = await startCollectBed();
  const { url } = await bed.startSidecar();
  const glue = join(workspaceRoot, glueOf[trainer]);
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const { stdout } = await promisify(execFile)(
    python,
    [join(import.meta.dirname, 'drive-glue.py'), trainer, url],
    {
      signal: over.signal,
      env: {
        ...process.env,
        PYTHONDONTWRITEBYTECODE: '1',
        PYTHONPATH: [pythonFolder, glue, join(import.meta.dirname, 'restated')].join(':'),
      },
    },
  );
  return { told: JSON.parse(stdout), bed };
}

/** Ids that the engine sampled, by its first tokens' logprobs. */
const sampledIds = ({ engine }: CollectBed): string[] =>
  engine.calls.flatMap(({ answer }) =>
    (answer?.choices ?? []).map(({ tokens }) => tokens.map(({ id }) => id).join()),
  );

it('slime gets a sample for each that it asked for', async () => {
  const { told, bed } = await drive('slime');
  const { samples, metrics, acknowledged, refusal } = told as {
    samples: Record<string, unknown>[];
    metrics: object;
    acknowledged: unknown;
    refusal: unknown;
  };
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
  // What a checkpoint of this run has is not sent again, and nothing else: that of step 1 was there before step 2.
  expect(acknowledged).toEqual([[], ['slime-0', 'slime-1'], ['slime-0', 'slime-1']]);
  expect(refusal).toMatch(/^ART_COLLECT_ACKNOWLEDGED: .*checkpoint.*another/);
});

it('slime gets every row of a rollout that forked, and counts the rollout once', async () => {
  const { told } = await drive('slime-forks');
  expect(told).toMatchObject({
    samples: [10, 10, 11, 11].map((index) => ({ index, rollout_id: index, group_index: 5, reward: 1 })),
    refusal: expect.stringContaining('--custom-reward-post-process-path') as string,
    centred: [
      [1, 1, 0, 0.5],
      [0.5, 0.5, -0.5, 0],
    ],
  });
  const [, scaled] = (told as { scaled: [number[], number[]] }).scaled;
  for (const [place, value] of [Math.SQRT1_2, Math.SQRT1_2, -Math.SQRT1_2, 0].entries())
    expect(scaled[place]).toBeCloseTo(value, 4);
});

it("TRL's asynchronous trainer gets every row, no more groups than may be old, and an error where it would wait for ever", async () => {
  const { told } = await drive('trl-async');
  const { samples, acknowledged, again, gone, ...rest } = told as {
    samples: Record<string, number[]>[];
    acknowledged: string[][];
    again: number[];
    gone: Record<string, [url: string, said: (string | null)[]]>;
  };
  // Which of two groups is finished first is nobody's promise.
  expect(acknowledged.map((ids) => ids.toSorted())).toEqual([[], ['async-0', 'async-1']]);
  expect(again.toSorted((one, other) => one - other)).toEqual([2, 3, 4, 5]);
  expect(rest).toEqual({
    begun: 4,
    failures: {
      over: expect.stringContaining('the payloads are over') as string,
      old: expect.stringContaining('more than 1 versions ago') as string,
    },
  });
  expect(Object.keys(gone)).toHaveLength(8);
  for (const [end, [url, said]] of Object.entries(gone)) {
    const told = expect.stringContaining(`art collect: no art collect at ${url}: `) as string;
    expect([end, ...said]).toEqual([end, told, told, told]);
  }
  expect(samples).toMatchObject(
    [0, 0, 0, 0, 1, 1, 1, 1].map(() => ({
      advantage: 0,
      model_version: 1,
      metrics: { reward: 1, rows: 2 },
    })),
  );
  for (const { input_ids: ids, completion_mask: mask, old_log_probs: logprobs } of samples) {
    expect([mask!.length, logprobs!.length]).toEqual([ids!.length, ids!.length]);
    expect(mask![0]).toBe(0);
    expect(mask).toContain(1);
    for (const [place, trains] of mask!.entries()) if (trains === 0) expect(logprobs![place]).toBe(0);
  }
});

it('TRL gets the same step until a checkpoint has it, and no step of inert rows after that', async () => {
  const { told } = await drive('trl');
  expect(told).toMatchObject({
    batch: { reward: [1, 1, null, null] },
    is_same: true,
    refusal: expect.stringMatching(/^ART_COLLECT_ACKNOWLEDGED: .*checkpoint.*another/) as string,
  });
});

it('rllm gets an episode for each task, without a trajectory where it failed', async () => {
  const { told, bed } = await drive('rllm');
  const { episodes, acknowledged } = told as {
    episodes: { trajectories: { steps: { response_ids: number[] }[] }[] }[];
    acknowledged: unknown;
  };
  expect(episodes).toMatchObject([
    { id: 'x:0', task: { n: 1 }, is_correct: true, metrics: { empty: 0, steps_collected: 1 } },
    { id: 'x:1', trajectories: [{ reward: 1, steps: [{ done: true, reward: 1, weight_version: 3 }] }] },
    { id: 'y:0', is_correct: false, trajectories: [], metrics: { empty: 1 } },
    { id: 'y:1', trajectories: [] },
  ]);
  expect(sampledIds(bed)).toContain(episodes[0]!.trajectories[0]!.steps[0]!.response_ids.join());
  expect(acknowledged).toEqual([['rllm-val-3-2'], ['rllm-train-3-1', 'rllm-val-3-2']]);
});

it('prime-rl gets samples whose lists are as long as their tokens', async () => {
  const { told } = await drive('prime-rl');
  const { samples, experts, refusal } = told as {
    samples: Record<string, unknown[]>[];
    experts: number[];
    refusal: string;
  };
  // A step of which nothing trains is none.
  expect(refusal).toMatch(/^ART_COLLECT_NO_ROWS: .*ART_AGENT_ERROR/);
  expect(samples).toHaveLength(2);
  for (const { env_name: envName, token_ids: ids, routed_experts: routed, ...lists } of samples) {
    expect([envName, routed]).toEqual(['sums', null]);
    for (const list of Object.values(lists)) expect(list).toHaveLength(ids!.length);
  }
  expect(experts).toEqual([0, 1, 2, 3]);
});

it('a request that another sidecar holds is not tried for ever', async () => {
  const held = { event: 'error', code: 'ART_JOURNAL_LOCKED', message: 'Held by process 7.' };
  const lines = [{ event: 'accepted', request_id: 'a', acknowledged: 0 }, held];
  const server = createServer((_request, response) => {
    response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const script = `from art_collect import ArtCollect; list(ArtCollect("${url}", reconnect_s=0.8).groups([{}], 1, request_id="a"))`;
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: pythonFolder };
  const run = promisify(execFile)(python, ['-c', script], { env });
  await expect(run).rejects.toThrow('ART_JOURNAL_LOCKED: Held by process 7.');
});

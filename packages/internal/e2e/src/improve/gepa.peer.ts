import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { Judge } from '@art/eval';
import { localAgent } from '@art/eval/local';
import { randomSource } from '@art/eval/statistics';
import { improve, type ImproveOptions, type IterationRecord } from '@art/improve';
import { startMockModel } from '@art/mock-model';
import { parseJson } from '@art/ground';
import { sayMissing } from '@art/tooling/say-missing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { nodeOptions } from '../eval/art-eval.fixture.ts';
import { preparePython } from '../interop/python-environment.ts';
import { runPython } from '../interop/run-python.ts';
import {
  plantedAnswer,
  plantedJudgement,
  plantedReflection,
  type PlantedTask,
  plantedTasks,
  promptsInCode,
} from './planted-program.ts';

const python = await preparePython({
  requirementsFile: join(import.meta.dirname, 'requirements.txt'),
  probe: 'gepa',
});
if (python.kind === 'missing') sayMissing(`${python.reason}: GEPA is not compared with its reference`);
const executable = python.kind === 'ready' ? python.executable : '';

/** Facts of an iteration that both implementations report. */
interface Decision {
  parent: number;
  /** Positions of the training tasks. */
  tasks: number[];
  verdict: string;
  candidate?: number;
  prompt?: string;
  text?: string;
  parentScores: number[];
  childScores?: number[];
}

interface Search {
  iterations: Decision[];
  candidates: { prompts: object; parent: number | null; scores: number[] }[];
  /** By validation task: the candidates with the highest score. */
  fronts: number[][];
  best: number;
  rollouts: number;
}

interface Task {
  training: PlantedTask[];
  validation: PlantedTask[];
  /** Name of the reflecting model. */
  model: string;
  seed: number;
}

const minibatch = 3;
const ends: (() => Promise<unknown>)[] = [];
let agent: ImproveOptions['agent'];
let programUrl: string;
let reflectUrl: string;

describe.skipIf(python.kind === 'missing')('the reference implementation of GEPA and ours', () => {
  beforeAll(async () => {
    const started = await localAgent(join(import.meta.dirname, 'planted-agent.ts'), {
      sessions: 'server',
      env: { NODE_OPTIONS: nodeOptions },
      // The judge gives the rewards, and not the agent.
      onWarning: () => undefined,
    });
    ends.push(() => started.close());
    agent = started;
    const model = await startMockModel({ reply: plantedReflection });
    ends.push(() => model.close());
    reflectUrl = model.baseUrl;
    programUrl = await serveProgram();
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  it.each([0, 1])(
    'come to the same proposals, parents, fronts, scores and rollouts by the same random numbers: seed %i',
    { timeout: 240_000 },
    async (seed) => {
      const task = planted({ seed, attention: 2 });
      const budget = 120;
      const ours = await searchByOurs(task, budget);
      // Ours begins no iteration that the budget might not be enough for; theirs begins one while anything is left.
      const most = 2 * minibatch + task.validation.length;
      const theirs = await searchByReference(task, budget - most + 1);
      expect(ours).toEqual(theirs);
      const verdicts = ours.iterations.map(({ verdict }) => verdict);
      expect(verdicts).toEqual(expect.arrayContaining(['accepted', 'rejected', 'perfect']));
      const rewritten = ours.iterations.map(({ prompt }) => prompt);
      expect(rewritten).toEqual(expect.arrayContaining(Object.keys(promptsInCode)));
      // Otherwise the choice of a parent would not be compared.
      expect(new Set(ours.fronts.flat()).size).toBeGreaterThan(1);
      expect(new Set(ours.iterations.map(({ parent }) => parent)).size).toBeGreaterThan(2);
    },
  );

  it(
    'differ where the page says so: the end of the budget, the end of learning',
    { timeout: 240_000 },
    async () => {
      const task = planted({ seed: 0, attention: 10 });
      const budget = 150;
      const ours = await searchByOurs(task, budget);
      const theirs = await searchByReference(task, budget);
      const shared = ours.iterations.length;
      expect(ours.iterations).toEqual(theirs.iterations.slice(0, shared));
      expect(ours.candidates).toEqual(theirs.candidates);
      expect(ours.candidates[ours.best]!.scores).toEqual(task.validation.map(() => 1));
      const epoch = Math.ceil(task.training.length / minibatch);
      expect(ours.iterations.slice(-epoch).map(({ verdict }) => verdict)).toEqual(
        Array(epoch).fill('perfect'),
      );
      expect(ours.rollouts).toBeLessThan(budget);
      expect(theirs.rollouts).toBeGreaterThanOrEqual(budget);
    },
  );

  it(
    'differ where the reflecting model changes nothing: ours runs no child',
    { timeout: 240_000 },
    async () => {
      const task = { ...planted({ seed: 0, attention: 2 }), model: 'echo' };
      const ours = await searchByOurs(task, 30);
      const theirs = await searchByReference(task, 30);
      const shared = Math.min(ours.iterations.length, theirs.iterations.length);
      expect(shared).toBeGreaterThan(2);
      expect(began(ours).slice(0, shared)).toEqual(began(theirs).slice(0, shared));
      const base = task.validation.length;
      expect(ours.rollouts).toBe(base + minibatch * ours.iterations.length);
      expect(theirs.rollouts).toBe(base + 2 * minibatch * theirs.iterations.length);
    },
  );

  it('have the defaults that the page names', async () => {
    const { defaults } = await runReference(planted({ seed: 0, attention: 2 }), 1);
    expect(defaults).toMatchObject({
      candidate_selection_strategy: 'pareto',
      frontier_type: 'instance',
      skip_perfect_score: true,
      perfect_score: 1,
      batch_sampler: 'epoch_shuffled',
      module_selector: 'round_robin',
      acceptance_criterion: 'strict_improvement',
      val_evaluation_policy: null,
      use_merge: false,
      cache_evaluation: false,
      seed: 0,
    });
  });

  it('its decisions that our tests are held against are those of this version', async () => {
    const golden = join(import.meta.dirname, '../../../../evaluate/improve/src/golden');
    const made = await runPython({
      executable,
      script: join(golden, 'make_golden.py'),
      env: {},
      input: null,
    });
    expect(made).toEqual(parseJson(await readFile(join(golden, 'golden.json'), 'utf8')));
  });
});

function began({ iterations }: Search): object[] {
  return iterations.map(({ parent, tasks }) => ({ parent, tasks }));
}

/** 7 tasks fill no whole minibatches, so that some are there twice. */
function planted({ seed, attention }: { seed: number; attention: number }): Task {
  const tasks = {
    training: plantedTasks('train', 7, attention),
    validation: plantedTasks('valid', 6, attention),
  };
  return { ...tasks, model: 'reflecting', seed };
}

async function searchByOurs({ training, validation, model, seed }: Task, budget: number): Promise<Search> {
  const folder = await mkdtemp(join(tmpdir(), 'art-gepa-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  // No git is found: three processes for each evaluation, to say which commit it was.
  vi.stubEnv('PATH', '/nowhere');
  const records: IterationRecord[] = [];
  const { candidates, best, rollouts } = await improve({
    agent,
    reward,
    tasks: training.map((payload) => ({ id: payload.word, payload: { ...payload } })),
    validation: validation.map((payload) => ({ id: payload.word, payload: { ...payload } })),
    reflect: { baseUrl: reflectUrl, model },
    budget,
    folder,
    seed,
    onIteration: (record) => records.push(record),
  }).finally(() => vi.unstubAllEnvs());
  const scores = candidates.map((candidate) => validation.map(({ word }) => candidate.scores.get(word)!));
  return {
    iterations: records.slice(1).map((record) => decisionOf(record, training)),
    candidates: candidates.map(({ prompts, parent }, at) => ({ prompts, parent, scores: scores[at]! })),
    fronts: validation.map((_, task) => {
      const highest = Math.max(...scores.map((row) => row[task]!));
      return [...scores.keys()].filter((candidate) => scores[candidate]![task] === highest);
    }),
    best,
    rollouts,
  };
}

function decisionOf(record: IterationRecord, training: readonly PlantedTask[]): Decision {
  const { parent, tasks, verdict, candidate, prompt, prompts, parentScores, childScores } = record;
  return {
    parent: parent!,
    tasks: tasks.map((id) => training.findIndex(({ word }) => word === id.split(' ')[0])),
    verdict,
    ...(candidate !== null && { candidate }),
    ...(prompt !== null && { prompt, text: prompts![prompt]! }),
    parentScores: parentScores as number[],
    ...(childScores !== null && { childScores: childScores as number[] }),
  };
}

async function searchByReference(task: Task, maxMetricCalls: number): Promise<Search> {
  const { defaults: _, ...search } = await runReference(task, maxMetricCalls);
  return search;
}

async function runReference(
  { training, validation, model, seed }: Task,
  maxMetricCalls: number,
): Promise<Search & { defaults: object }> {
  const random = randomSource(seed);
  const result = await runPython({
    executable,
    script: join(import.meta.dirname, 'run_gepa.py'),
    env: {},
    input: {
      prompts: promptsInCode,
      training,
      validation,
      numbers: Array.from({ length: 10_000 }, random),
      max_metric_calls: maxMetricCalls,
      program_url: programUrl,
      reflect_url: reflectUrl,
      reflect_model: model,
    },
  });
  return result as Search & { defaults: object };
}

const reward: Judge = ({ task, document }, { remark }) => {
  const { score, remarks } = plantedJudgement(
    task.payload as unknown as PlantedTask,
    String(document['text']),
  );
  for (const text of remarks) remark?.(text);
  return score;
};

/** The program for the reference: it answers tasks by prompts, and is judged. */
async function serveProgram(): Promise<string> {
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { tasks, prompts } = body as { tasks: PlantedTask[]; prompts: Record<string, string> };
      const answers = tasks.map((task) => {
        const text = plantedAnswer(task, prompts);
        return { text, ...plantedJudgement(task, text) };
      });
      response.end(JSON.stringify(answers));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

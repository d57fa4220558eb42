import { cpSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  defaults,
  endingJudge,
  obedient,
  plantedSearch,
  plantedTasks,
  temporaryFolder,
} from '../planted-search.fixture.ts';
import type { ImproveOptions } from './improve-options.ts';
import type { IterationRecord } from './iteration-record.ts';
import { lostOutcome, okOutcome, type Script } from './scripted-agent.fixture.ts';

async function iterationsOf(folder: string): Promise<IterationRecord[]> {
  const text = await readFile(join(folder, 'iterations.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as IterationRecord);
}

it('finds the instructions that are missing, within the budget, and shows it on held-out tasks', async () => {
  const { done, sent, folder, notices } = await plantedSearch();
  const best = done.candidates[done.best]!;
  expect(best.prompts['system']!.split('\n').toSorted()).toEqual([
    'Answers of kind letter end with SINCERELY.',
    'Answers of kind prayer end with AMEN.',
    'Answers of kind radio end with OVER.',
    'Repeat the word.',
  ]);
  expect([done.candidates[0]!.mean, best.mean]).toEqual([0, 1]);
  expect(done.heldOut!.comparison).toMatchObject({
    direction: 'better',
    difference: { value: 1 },
    doubts: [],
  });
  expect(done.rollouts).toBe(sent.length);
  expect(sent.length).toBeLessThanOrEqual(120);
  expect(JSON.parse(await readFile(join(folder, 'prompts.json'), 'utf8'))).toEqual(best.prompts);
  const [start, ...iterations] = await iterationsOf(folder);
  expect(start).toMatchObject({ verdict: 'start', candidate: 0, prompts: defaults, rollouts: 6 });
  for (const { verdict, parent, candidate, validation, reflection } of iterations)
    if (verdict === 'accepted')
      expect([Object.keys(validation!).length, parent! < candidate!, reflection]).toEqual([
        6,
        true,
        expect.stringContaining('has to know'),
      ]);
  expect(notices.join()).toContain('All training tasks pass');
});

it('ends the comparison on held-out tasks once it is decided, and not again', async () => {
  const options = { heldOut: plantedTasks('held', 60), until: 'difference > 0', budget: 230 };
  const { done, sent, folder } = await plantedSearch(options);
  const { comparison } = done.heldOut!;
  expect(comparison).toMatchObject({ goal: { goal: 'difference > 0', end: 'decided' }, doubts: [] });
  expect(comparison.difference!.tasks).toBeGreaterThanOrEqual(comparison.goal!.tasks);
  expect(comparison.difference!.tasks).toBeLessThan(40);
  expect(comparison.onlyBaseline).toEqual([]);
  expect(done.rollouts).toBe(sent.length);
  const again = await plantedSearch({ ...options, folder });
  expect(again.sent).toEqual([]);
  expect(again.done.heldOut!.comparison.goal).toEqual(comparison.goal);
});

it('finds nothing where the remarks are shuffled, and says so by the prompts in the code', async () => {
  const kinds = ['radio', 'letter', 'prayer'];
  const shuffledRemarks = endingJudge((kind) => kinds[(kinds.indexOf(kind) + 1) % kinds.length]!);
  const { done, sent, folder } = await plantedSearch({ reward: shuffledRemarks, budget: 60 });
  expect({ best: done.best, candidates: done.candidates.length, heldOut: done.heldOut }).toEqual({
    best: 0,
    candidates: 1,
    heldOut: null,
  });
  expect(sent.length).toBeLessThanOrEqual(60 - 12);
  expect(JSON.parse(await readFile(join(folder, 'prompts.json'), 'utf8'))).toEqual(defaults);
});

const small = {
  tasks: plantedTasks('task', 4),
  heldOut: plantedTasks('held', 1),
  minibatch: 2,
} satisfies Partial<ImproveOptions>;

it('never runs more rollouts than the budget, and makes no score of a failed machine', async () => {
  const property = fc.asyncProperty(
    fc.integer({ min: 10, max: 34 }),
    fc.nat(9),
    fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 5, maxLength: 5 }),
    async (budget, seed, losses) => {
      const left = [...losses];
      const words = ['task word 0', 'task word 1', 'task word 2', 'task word 3', 'held word 0'];
      const script: Script = (payload, prompts) => {
        const at = words.indexOf(String(payload['word']));
        if ((left[at] ?? 0) === 0) return obedient(payload, prompts);
        left[at]! -= 1;
        return lostOutcome();
      };
      let sent = 0;
      const counted: Script = (payload, prompts) => {
        sent += 1;
        return script(payload, prompts);
      };
      const search = await plantedSearch({ ...small, script: counted, budget, seed }).catch(
        (error: unknown) => {
          // All of the validation tasks were lost as often as the budget allows.
          expect(error).toMatchObject({ code: 'ART_NOT_JUDGED' });
        },
      );
      expect(sent).toBeLessThanOrEqual(budget);
      if (search === undefined) return;
      const { done, folder } = search;
      expect(done.rollouts).toBe(sent);
      for (const { verdict, parentScores, childScores, validation } of await iterationsOf(folder)) {
        const isWhole = ![...(parentScores ?? []), ...(childScores ?? [])].includes(null);
        expect(isWhole || verdict === 'excluded').toBe(true);
        expect(Object.values(validation ?? {})).not.toContain(null);
      }
    },
  );
  await fc.assert(property, { numRuns: 5 });
});

it('drops a proposal whose tasks have no score after several tries, and says so', async () => {
  const sick: Script = (payload, prompts) =>
    prompts['system'] === undefined ? obedient(payload, prompts) : lostOutcome();
  const { done, folder, notices } = await plantedSearch({ ...small, script: sick, budget: 16 });
  const [, first] = await iterationsOf(folder);
  expect(first).toMatchObject({
    verdict: 'excluded',
    candidate: null,
    rollouts: 6,
    parentScores: [null, null],
  });
  expect(done.best).toBe(0);
  expect(notices.join()).toContain('no score is made of that');
});

it('is one search where two processes begin it at once: the other one is refused, and writes nothing', async () => {
  const folder = join(await temporaryFolder(), 'search');
  const options = { ...small, heldOut: undefined, budget: 22 };
  const both = await Promise.allSettled([1, 2].map(() => plantedSearch({ ...options, folder })));
  const ended = both.flatMap((search) => (search.status === 'fulfilled' ? [search.value] : []));
  const refused = both.flatMap((search) => (search.status === 'rejected' ? [search.reason as object] : []));
  expect(refused).toMatchObject([{ code: 'ART_FOLDER_HELD' }]);
  const alone = await plantedSearch(options);
  expect(await iterationsOf(folder)).toEqual(await iterationsOf(alone.folder));
  expect(ended).toMatchObject([{ done: { rollouts: alone.done.rollouts } }]);
  // It is free again.
  const again = await plantedSearch({ ...options, folder });
  expect(again.sent).toEqual([]);
});

/** A copy of a folder has what a process leaves that is killed now. To read the lock would end it, as this process has it. */
function snapshot(folder: string, copy: string): void {
  for (;;) {
    try {
      cpSync(folder, copy, { recursive: true, filter: (path) => basename(path) !== 'hold.lock' });
      return;
    } catch (error) {
      // A file that was being replaced is there under its last name now.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      rmSync(copy, { recursive: true, force: true });
    }
  }
}

it('continues from wherever it was killed as if it had not been, and can spend a larger budget', async () => {
  const place = await temporaryFolder();
  const snapshots: string[] = [];
  let samples = 0;
  const options = { ...small, heldOut: undefined, budget: 22 };
  const folder = join(place, 'whole');
  const { done } = await plantedSearch({
    ...options,
    folder,
    onSample: () => {
      samples += 1;
      if (samples % 4 !== 2) return;
      snapshots.push(join(place, `killed-${samples}`));
      snapshot(folder, snapshots.at(-1)!);
    },
  });
  const whole = await iterationsOf(folder);
  expect(snapshots.length).toBeGreaterThan(3);
  for (const killed of snapshots) {
    const again = await plantedSearch({ ...options, folder: killed });
    expect(await iterationsOf(killed)).toEqual(whole);
    expect(again.done).toEqual({ ...done, folder: killed });
  }
  const more = await plantedSearch({ ...options, folder, budget: 30 });
  expect((await iterationsOf(folder)).slice(0, whole.length)).toEqual(whole);
  expect(more.done.rollouts).toBeLessThanOrEqual(30);
  expect(more.sent.length).toBe(more.done.rollouts - done.rollouts);
});

it('says what cannot be improved, before the budget is spent', async () => {
  const failing = async (options: Parameters<typeof plantedSearch>[0], script = obedient) => {
    let sent = 0;
    const counted: Script = (payload, prompts) => {
      sent += 1;
      return script(payload, prompts);
    };
    const error = await plantedSearch({ ...small, budget: 30, ...options, script: counted }).then(
      () => undefined,
      (thrown: { code: string; message: string }) => thrown,
    );
    return { code: error?.code, message: error?.message, sent };
  };
  expect(await failing({}, () => okOutcome({ text: '' }, {}))).toMatchObject({
    code: 'ART_NO_PROMPTS',
    sent: 1,
    message: expect.stringContaining("context.prompt('system'") as string,
  });
  const varying: Script = ({ word }) => okOutcome({ text: '' }, { system: `Say ${String(word)}.` });
  expect(await failing({}, varying)).toMatchObject({ code: 'ART_PROMPT_VARIES', sent: 2 });
  const crashing: Script = () =>
    ({ kind: 'agent_error', error: { code: 'ART_AGENT_ERROR', message: 'It threw.' } }) as never;
  expect(await failing({}, crashing)).toMatchObject({
    code: 'ART_NOT_JUDGED',
    sent: 2,
    message: expect.stringContaining('none that ends well of 2') as string,
  });
  for (const [options, words] of [
    [{ budget: 9 }, 'at least 10 rollouts'],
    [{ heldOut: plantedTasks('task', 1) }, 'not among the others'],
    [{ tasks: plantedTasks('task', 1) }, 'at least 2 tasks'],
    [{ minibatch: 0 }, 'minibatch'],
    [{ until: 'mean > 0.5' }, 'difference > 0'],
    [{ until: 'soon' }, 'a goal such as'],
    [{ reflect: { baseUrl: 'nowhere', model: 'x' } }, 'baseUrl'],
  ] as const)
    expect(await failing(options as never)).toMatchObject({
      code: 'ART_INVALID_OPTION',
      sent: 0,
      message: expect.stringContaining(words) as string,
    });
});

it('ends where the reflecting model fails, and continues with all that was measured', async () => {
  const folder = join(await temporaryFolder(), 'search');
  const options = { ...small, heldOut: undefined, budget: 10, folder };
  const nobody = { baseUrl: 'http://127.0.0.1:9/v1', model: 'nobody', attempts: 1 };
  await expect(plantedSearch({ ...options, reflect: nobody })).rejects.toMatchObject({
    code: 'ART_REFLECTION_FAILED',
  });
  const { done, sent } = await plantedSearch(options);
  // Two on the validation tasks and two of the parent were there.
  expect(done.rollouts - sent.length).toBe(4);
  await expect(plantedSearch({ ...options, seed: 1 })).rejects.toMatchObject({
    code: 'ART_INVALID_OPTION',
    message: expect.stringContaining('Expected the seed') as string,
  });
  const mild = (): number => 1;
  for (const [other, named] of [
    [{ timeoutMs: 5_000 }, 'timeoutMs none, now 5000'],
    [{ reward: mild }, 'judge "function'],
    [{ failureReward: null }, 'Expected the failureReward'],
  ] as const)
    await expect(plantedSearch({ ...options, ...other })).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
      message: expect.stringContaining(named) as string,
    });
});

import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { askRun } from '../control/ask-run.ts';
import type { LinePlace } from '@art/ground';
import { readRunRecord } from '../records/run-record.ts';
import { readSamples } from '../records/read-samples.ts';
import { readStatus } from '../records/status-record.ts';
import { readTranscript } from '../records/transcript-record.ts';
import { excludedText } from '../report/excluded-text.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { evaluate } from './evaluate.ts';
import type { EvaluateOptions } from './evaluate-options.ts';
import { failedOutcome, okOutcome, type Script, scriptedAgent } from './scripted-agent.fixture.ts';

const tasks = ['a', 'b', 'c', 'd'].map((id, at) => ({
  id,
  payload: { question: id, right: at % 2 === 0 },
  tags: at < 2 ? ['early'] : [],
  expected: id.toUpperCase(),
}));

const honest: Script = ({ right }) => okOutcome({ reward: right === true ? 1 : 0, answer: 'x' });

async function run(script: Script, options: Partial<EvaluateOptions> = {}) {
  const { agent, sent } = scriptedAgent(script);
  const folder = options.folder ?? join(await temporaryFolder(), 'run');
  const done = await evaluate({ agent, tasks, folder, onNotice: () => undefined, ...options });
  return { done, sent, folder };
}

async function linesOf(folder: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { record } of readSamples(folder)) ids.push(record.id);
  return ids.toSorted((first, second) => (first < second ? -1 : 1));
}

async function transcriptOf(folder: string, id: string): Promise<LinePlace> {
  for await (const { record } of readSamples(folder)) if (record.id === id) return record.transcript!;
  throw new Error(`There is no ${id}.`);
}

describe('evaluate', () => {
  it('keeps the prompts that replace those of the agent, and refuses others', async () => {
    const prompts = { system: 'Be brief.' };
    const { folder } = await run(honest, { prompts });
    expect((await readRunRecord(folder)).options).toMatchObject({ prompts });
    await run(honest, { folder, samples: 2 });
    for (const other of [{ system: 'Be long.' }, {}, { system: 5 as never }])
      await expect(run(honest, { folder, prompts: other })).rejects.toMatchObject({
        code: 'ART_INVALID_OPTION',
        message: expect.stringContaining('prompts') as string,
      });
  });

  it('says how good an agent is, and writes everything down', async () => {
    const { done, folder } = await run(honest, { samples: 2, notes: { ci: true } });
    expect(done.mean).toMatchObject({ value: 0.5, samples: 8, tasks: 4, method: 'wilson-clustered' });
    expect(done.passAt(2).value).toBe(0.5);
    expect(done.passPower(2).value).toBe(0.5);
    expect(done.results).toMatchObject({
      isComplete: true,
      outcomes: { ok: 8 },
      excluded: { count: 0, isTrusted: true },
      byTag: [{ tag: 'early', tasks: 2, samples: 4, mean: { value: 0.5 } }],
      worst: [{ taskId: 'b', mean: 0 }, { taskId: 'd' }],
    });
    expect(await linesOf(folder)).toEqual(['a#0', 'a#1', 'b#0', 'b#1', 'c#0', 'c#1', 'd#0', 'd#1']);
    expect(await readStatus(folder)).toMatchObject({ state: 'finished', done: 8, total: 8, meanScore: 0.5 });
    expect(await readRunRecord(folder)).toMatchObject({
      samples: 2,
      options: { ci: true },
      tasks: { count: 4 },
    });
    expect(await readTranscript(folder, await transcriptOf(folder, 'a#0'))).toMatchObject({
      payload: { question: 'a' },
      expected: 'A',
      document: { answer: 'x' },
    });
    for await (const sample of done.samples()) {
      expect(sample).toMatchObject({
        rewardedBy: 'agent',
        timings: { acceptedMs: 1, noticedMs: 2, settledMs: 3, stoppedMs: 4 },
        attempts: [{ attempt: 0, outcome: 'ok', settledMs: 3 }],
      });
    }
  });

  it('excludes failures of the infrastructure, and counts those of the agent as what they are', async () => {
    const kinds = { a: 'lost', b: 'timeout', c: 'throttled' } as const;
    const script: Script = ({ question }) =>
      question === 'd' ? okOutcome({ reward: 1 }) : failedOutcome(kinds[question as keyof typeof kinds]);
    const { done } = await run(script);
    expect(done.mean).toMatchObject({ value: 0.5, samples: 2 });
    expect(done.results.excluded).toMatchObject({
      count: 2,
      share: 0.5,
      isTrusted: false,
      byReason: { lost: 1, throttled: 1 },
    });
    expect(done.check({}).verdict).toBe('not_judged');
    expect((await run(script, { maxFailures: 2, failureReward: null })).done.mean.value).toBe(1);
  });

  it('says once, while it runs, that too much cannot be judged, and what to look at', async () => {
    const notices: string[] = [];
    const many = Array.from({ length: 30 }, (_, at) => ({ id: `t${at}`, payload: { at } }));
    const script: Script = ({ at }) =>
      (at as number) % 3 === 0 ? failedOutcome('infra_error') : okOutcome({ reward: 1 });
    const { done } = await run(script, { tasks: many, onNotice: (message) => notices.push(message) });
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(
      /^So far 4 of 10 samples .*: 4 infra_error\. That is more than 10 %.* quota .* error of one\.$/,
    );
    expect(excludedText(done.results.excluded, 30)).toMatch(/^10 of 30 samples .*: 10 infra_error\./);
    notices.length = 0;
    await run(script, { tasks: many, maxFailures: 0.5, onNotice: (message) => notices.push(message) });
    expect(notices).toEqual([]);
  });

  it('has no figure where nothing was judged', async () => {
    const { done } = await run(() => okOutcome({ answer: 1 }));
    expect(() => done.mean).toThrow(expect.objectContaining({ code: 'ART_NOT_JUDGED' }));
    expect(() => done.passAt(1)).toThrow('4 reward_absent');
    expect(done.results).toMatchObject({ mean: null, excluded: { count: 4 } });
  });

  it('judges with a function of task, document and transcript; one that throws is no 0, and is asked again later', async () => {
    let isReachable = false;
    const seen: unknown[] = [];
    const reward: EvaluateOptions['reward'] = ({ task, document, transcript }, { remark }) => {
      if (task.id === 'a' && !isReachable) throw new Error('no judge');
      seen.push([task.expected, document['answer'], transcript.payload['question']]);
      remark?.(`looked at ${task.id}`);
      return [0, 0.25];
    };
    const first = await run(honest, { reward });
    expect(first.done.mean).toMatchObject({ value: 0.25, samples: 3 });
    expect(first.done.results.excluded.byReason).toEqual({ judge_failed: 1 });
    isReachable = true;
    const second = await run(honest, { reward, folder: first.folder });
    expect(second.sent).toEqual([]);
    expect(second.done.mean).toMatchObject({ value: 0.25, samples: 4 });
    expect(seen).toContainEqual(['A', 'x', 'a']);
    const records = [];
    for await (const { record } of readSamples(first.folder)) records.push(record);
    expect(records.at(-1)).toMatchObject({ id: 'a#0', rewards: [0, 0.25], remarks: ['looked at a'] });
  });

  it('judges again many at once, tells of each, and ends with the signal', async () => {
    const many = Array.from({ length: 12 }, (_, at) => ({ id: `t${at}`, payload: { prompt: `task ${at}` } }));
    const { folder } = await run(honest, {
      tasks: many,
      reward: () => Promise.reject(new Error('no judge')),
    });
    const gate = Promise.withResolvers<void>();
    let [working, most] = [0, 0];
    const told: string[] = [];
    const again = run(honest, {
      tasks: many,
      folder,
      judgeConcurrency: 5,
      onSample: ({ id }) => told.push(id),
      reward: async () => {
        working += 1;
        most = Math.max(most, working);
        if (working === 5) gate.resolve();
        await gate.promise;
        working -= 1;
        return 1;
      },
    });
    expect((await again).done.mean).toMatchObject({ value: 1, samples: 12 });
    expect([most, told.length, (await again).sent]).toEqual([5, 12, []]);

    const broken = await run(honest, { tasks: many, reward: () => Promise.reject(new Error('no judge')) });
    const stopping = new AbortController();
    const stopped = run(honest, {
      tasks: many,
      folder: broken.folder,
      signal: stopping.signal,
      reward: () => {
        stopping.abort(new Error('stopped'));
        return new Promise<number>((_, reject) => reject(stopping.signal.reason as Error));
      },
    });
    await expect(stopped).rejects.toThrow('stopped');
  });

  it('does not promise to judge again what its agent gave no reward for', async () => {
    const { done } = await run(() => okOutcome({}));
    expect(excludedText(done.results.excluded, 4)).toMatch(/art rescore/);
    expect(excludedText(done.results.excluded, 4)).not.toMatch(/continues|--resume/);
    const { done: unjudged } = await run(honest, { reward: () => Promise.reject(new Error('no judge')) });
    expect(excludedText(unjudged.results.excluded, 4)).toMatch(/"art eval --resume" judges them again/);
  });

  it('takes metrics of agents and judges, and says which of them are no numbers', async () => {
    const script: Script = () => okOutcome({ reward: 1, metrics: { turns: 3, cost: 'much', won: false } });
    const { folder } = await run(script, {
      reward: () => ({ reward: [0, 0.5], metrics: { turns: 4, style: 0.25 } }),
      tasks: [{ id: 'a', payload: { prompt: 'What\n is it?' } }],
    });
    for await (const { record } of readSamples(folder))
      expect(record).toMatchObject({
        reward: 0.5,
        rewards: [0, 0.5],
        metrics: { turns: 4, won: 0, style: 0.25 },
        remarks: ['Expected metrics.cost to be a finite number, got "much"; it is left out.'],
        taskText: 'What is it?',
      });
    const plain = await run(() => okOutcome({ metrics: { turns: 3 } }));
    expect(plain.done.results).toMatchObject({
      mean: null,
      metrics: [{ name: 'turns', value: 3, samples: 4 }],
    });
    const wrong = await run(honest, { reward: () => ({ reward: Number.NaN, metrics: { x: 1 } }) });
    expect(wrong.done.results).toMatchObject({ mean: null, metrics: [] });
  });

  it('checks thresholds by the value, or by the lower end of the interval', async () => {
    const { done } = await run(() => okOutcome({ reward: 1 }));
    const wanted = { minReward: 0.9, minPassAt: { 1: 0.39 } };
    expect(done.check(wanted)).toMatchObject({
      verdict: 'passed',
      checks: [{ isReached: true }, { isReached: true }],
    });
    // Four of four show 0.3976, the fourth root of 2.5 %.
    expect(done.check({ ...wanted, isConfident: true })).toMatchObject({
      verdict: 'not_judged',
      checks: [
        {
          name: 'mean reward',
          isReached: false,
          problem:
            'Too few tasks: 4 cannot show it with 97.5 %, even where all are perfect; 43 tasks or more can.',
        },
        { name: 'pass@1', low: expect.closeTo(0.3976, 4) as number, isReached: true, problem: null },
      ],
    });
    expect(done.check({ minPassAt: { 1: 0.4 }, isConfident: true }).verdict).toBe('not_judged');
    expect(done.check({ minReward: 1, isConfident: true }).checks[0]!.problem).toContain(
      'no number of tasks can',
    );
    expect(done.check({ minPassAt: { 2: 0.1 } }).verdict).toBe('not_judged');
  });
});

describe('a run that continues', () => {
  it('cut off at any line or in it, runs what is missing and nothing else', async () => {
    const { folder } = await run(honest, { samples: 2 });
    const path = join(folder, 'samples.jsonl');
    const whole = await readFile(path);
    const ends = [0, ...[...whole.entries()].flatMap(([at, byte]) => (byte === 10 ? [at + 1] : []))];
    for (const [lines, end] of ends.entries()) {
      for (const cut of [end, Math.min(whole.length, end + 40)]) {
        await writeFile(path, whole.subarray(0, cut));
        const again = await run(honest, { folder });
        expect(again.sent).toHaveLength(8 - lines);
        expect(new Set(await linesOf(folder)).size).toBe(8);
        expect(await linesOf(folder)).toHaveLength(8);
        expect(again.done.mean.value).toBe(0.5);
      }
    }
  });

  it('adds samples, and takes no fewer', async () => {
    const { folder } = await run(honest, { samples: 2 });
    const more = await run(honest, { folder, samples: 4 });
    expect(more.sent).toHaveLength(8);
    expect(more.done.results).toMatchObject({ samples: { wanted: 16, recorded: 16 }, isComplete: true });
    expect(more.done.record.processes).toHaveLength(2);
    await expect(run(honest, { folder, samples: 2 })).rejects.toThrow('at least the 4 samples');
  });

  it('takes tasks in another order, fewer and more, and refuses those that were changed by their ids', async () => {
    const { folder } = await run(honest, { tasks: tasks.slice(0, 3) });
    const more = await run(honest, { folder, tasks: tasks.slice(1).toReversed() });
    expect(more.sent).toEqual([tasks[3]!.payload]);
    expect(more.done.results).toMatchObject({ samples: { wanted: 4, recorded: 4 }, isComplete: true });
    const again = await run(honest, { folder, tasks: tasks.slice(2), samples: 2 });
    expect(again.sent).toHaveLength(2);
    expect(again.done.results).toMatchObject({ samples: { wanted: 8, recorded: 6 }, isComplete: false });
    const [first, second, ...rest] = tasks;
    const changed = [{ ...first!, expected: 'other' }, { ...second!, payload: { other: 1 } }, ...rest];
    await expect(run(honest, { folder, tasks: changed, samples: 2 })).rejects.toMatchObject({
      code: 'ART_JOURNAL_PAYLOADS_CHANGED',
      message: expect.stringContaining(`for task "${first!.id}", "${second!.id}".`),
    });
  });

  it('runs samples again whose infrastructure failed', async () => {
    const { folder, done } = await run(({ question, ...rest }, at) =>
      question === 'a' ? failedOutcome('lost') : honest({ question, ...rest }, at),
    );
    expect(done.results.excluded.count).toBe(1);
    const again = await run(honest, { folder });
    expect(again.sent).toEqual([tasks[0]!.payload]);
    expect(again.done.results).toMatchObject({ samples: { recorded: 4, scored: 4 }, outcomes: { ok: 4 } });
  });

  it('is left in order by its signal', async () => {
    const controller = new AbortController();
    const folder = join(await temporaryFolder(), 'run');
    const stopping = run(
      async (payload, at) => {
        if (at < 2) return honest(payload, at);
        controller.abort(new Error('enough'));
        return await new Promise<never>(() => undefined);
      },
      { folder, signal: controller.signal, concurrency: 3 },
    );
    await expect(stopping).rejects.toThrow('enough');
    expect(await readStatus(folder)).toMatchObject({ state: 'interrupted' });
    const done = await linesOf(folder);
    const again = await run(honest, { folder });
    expect(again.sent).toHaveLength(4 - done.length);
    expect(again.done.results.samples.recorded).toBe(4);
  });
});

it('keeps a run to its owner: the folder, its journal and every file, also where others made the folder above', async () => {
  const folder = join(await temporaryFolder(), 'evals/run');
  await run(honest, { folder });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  expect(entries.length).toBeGreaterThan(4);
  for (const entry of [...entries.map(({ parentPath, name }) => join(parentPath, name)), folder]) {
    const stats = await stat(entry);
    expect([entry, stats.mode & 0o777]).toEqual([entry, stats.isDirectory() ? 0o700 : 0o600]);
  }
});

describe('control', () => {
  it('pauses, changes the concurrency, resumes and stops; one process works on a run', async () => {
    const folder = join(await temporaryFolder(), 'run');
    let release = Promise.withResolvers<void>();
    const script: Script = async (payload, at) => {
      await release.promise;
      return honest(payload, at);
    };
    const { agent, sent } = scriptedAgent(script);
    const running = evaluate({ agent, tasks, folder, samples: 10, concurrency: 2 });
    const ending = running.catch((error: unknown) => error);
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    expect((await stat(join(folder, 'control.sock'))).mode & 0o777).toBe(0o600);
    await expect(run(honest, { folder })).rejects.toMatchObject({ code: 'ART_FOLDER_HELD' });
    await expect(run(honest, { folder, control: false })).rejects.toMatchObject({ code: 'ART_FOLDER_HELD' });
    expect(await askRun(folder, { command: 'pause' })).toMatchObject({
      state: 'paused',
      live: { length: 2 },
    });
    release.resolve();
    release = Promise.withResolvers<void>();
    await vi.waitFor(async () => expect(await linesOf(folder)).toHaveLength(2));
    expect(sent).toHaveLength(2);
    await askRun(folder, { command: 'concurrency', value: 5 });
    await askRun(folder, { command: 'resume' });
    await vi.waitFor(() => expect(sent).toHaveLength(7));
    await expect(askRun(folder, { command: 'concurrency', value: 0 })).rejects.toThrow('from 1 to');
    await askRun(folder, { command: 'stop' });
    expect(await ending).toMatchObject({ code: 'ART_RUN_STOPPED' });
    await expect(askRun(folder, { command: 'status' })).rejects.toMatchObject({ code: 'ART_RUN_NOT_LIVE' });
    release.resolve();
  });

  it('reaches runs whose path is too long for a socket, and takes over what a killed process left', async () => {
    const folder = join(await temporaryFolder(), 'x'.repeat(120));
    const release = Promise.withResolvers<void>();
    const { agent, sent } = scriptedAgent(async (payload, at) => {
      await release.promise;
      return honest(payload, at);
    });
    const running = evaluate({ agent, tasks, folder });
    await vi.waitFor(() => expect(sent).toHaveLength(4));
    expect(await askRun(folder, { command: 'status' })).toMatchObject({ total: 4 });
    release.resolve();
    await running;
    for (const name of ['hold.lock', 'control.sock', 'holder.json']) await writeFile(join(folder, name), '');
    expect((await run(honest, { folder })).sent).toEqual([]);
    expect(await readdir(folder)).not.toContain('hold.lock');
  });

  it('has its folder for itself also where nothing can be asked', async () => {
    const folder = join(await temporaryFolder(), 'run');
    const release = Promise.withResolvers<void>();
    const { agent, sent } = scriptedAgent(async (payload, at) => {
      await release.promise;
      return honest(payload, at);
    });
    const running = evaluate({ agent, tasks, folder, control: false });
    await vi.waitFor(() => expect(sent).toHaveLength(4));
    await expect(askRun(folder, { command: 'status' })).rejects.toMatchObject({ code: 'ART_RUN_NOT_LIVE' });
    await expect(run(honest, { folder, control: false })).rejects.toMatchObject({ code: 'ART_FOLDER_HELD' });
    release.resolve();
    await running;
  });
});

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { JsonLinesFile } from '@art/ground';
import { runPath } from '../records/run-folder.ts';
import { type RunRecord, writeRunRecord } from '../records/run-record.ts';
import { sampleRecord } from '../records/sample.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { openTasks, type Tasks } from './task-source.ts';
import { selectTasks, type TaskSelection } from './task-selection.ts';
import { taskText } from './task-text.ts';

const many = Array.from({ length: 100 }, (_, at) => ({
  id: `t${at}`,
  payload: { at },
  tags: at % 2 === 0 ? ['even'] : at < 10 ? ['odd', 'small'] : ['odd'],
}));

async function idsOf(
  select: TaskSelection,
  seed = 0,
  tasks: Tasks = many,
  limit?: number,
): Promise<string[]> {
  const source = await openTasks(tasks, limit, await selectTasks(select, seed));
  return Array.fromAsync(source.open(), ({ id }) => id);
}

async function* stream() {
  yield* many;
}

describe('selectTasks', () => {
  it('takes tasks by id and by tag, in the order of their source', async () => {
    expect(await idsOf({ ids: ['t7', 't3'] })).toEqual(['t3', 't7']);
    expect(await idsOf({ tags: ['small'] })).toEqual(['t1', 't3', 't5', 't7', 't9']);
    expect(await idsOf({ tags: ['small', 'even'] })).toHaveLength(55);
    expect(await idsOf({ ids: ['t2', 't3'], tags: ['even'] }, 0, stream)).toEqual(['t2']);
  });

  it('draws by the seed: the same ones again, each as likely, and never more than there are', async () => {
    const first = await idsOf({ draw: 10 }, 7);
    expect(first).toHaveLength(10);
    expect(await idsOf({ draw: 10 }, 7, stream)).toEqual(first);
    expect(await idsOf({ draw: 10 }, 8)).not.toEqual(first);
    expect(await idsOf({ draw: 10 }, 7, many, 3)).toEqual(first.slice(0, 3));
    expect(await idsOf({ draw: 500, tags: ['small'] })).toHaveLength(5);
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 400; seed += 1)
      for (const id of await idsOf({ draw: 10 }, seed)) counts.set(id, (counts.get(id) ?? 0) + 1);
    // 40 are expected, with a standard deviation of 6.
    expect(Math.min(...counts.values())).toBeGreaterThan(15);
    expect(Math.max(...counts.values())).toBeLessThan(65);
  });

  it('takes what did not pass in a run: failed, excluded, and what has not all of its samples', async () => {
    const folder = await temporaryFolder();
    await writeRunRecord(folder, { schema: 'art.run.v1', samples: 2, passReward: 0.5 } as RunRecord);
    await using file = await JsonLinesFile.open(runPath(folder, 'samples'));
    const scores = { t0: [1, 1], t1: [1, 0.25], t2: [1, null], t3: [1] };
    for (const [taskId, ofTask] of Object.entries(scores))
      for (const [sample, score] of ofTask.entries())
        await file.append(sampleRecord({ taskId, sample, score }));
    await file.append(sampleRecord({ taskId: 't3', sample: 1, score: 0.5 }));
    expect(await idsOf({ failedIn: folder }, 0, many.slice(0, 5))).toEqual(['t1', 't2', 't4']);
    await expect(idsOf({ failedIn: folder, ids: ['t0'] })).rejects.toThrow(
      'none in tasks of the program that the selection leaves',
    );
    await expect(idsOf({ failedIn: join(folder, 'nothing') })).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
    });
  });

  it.each<[TaskSelection, RegExp]>([
    [{ ids: ['t1', 'T2', 'T3'] }, /with the id "T2", got none that has it, nor 1 others/],
    [{ tags: ['evn'] }, /with the tag "evn"/],
    [{ ids: [] }, /ids/],
    [{ draw: 0 }, /draw/],
    [{ tag: 'even' } as TaskSelection, /tag/],
  ])('refuses %j before anything is sent', async (select, words) => {
    const refusal = { code: 'ART_INVALID_OPTION', message: expect.stringMatching(words) as string };
    await expect(idsOf(select)).rejects.toMatchObject(refusal);
    // Of a stream nothing has come out when it is refused.
    const seen: string[] = [];
    await expect(
      (async () => {
        const source = await openTasks(stream, undefined, await selectTasks(select, 0));
        for await (const { id } of source.open()) seen.push(id);
      })(),
    ).rejects.toMatchObject(refusal);
    expect(seen).toEqual([]);
  });
});

it.each<[Record<string, unknown>, string]>([
  [{ id: 1, question: ' What\n\tis 6 x 7? ' }, 'What is 6 x 7?'],
  [{ messages: [{ content: 'a' }, { role: 'user', content: 'b' }] }, 'b'],
  [{ at: 1n, rows: [1] }, '{"at":"1","rows":[1]}'],
  [{ prompt: 'x'.repeat(5_000) }, `${'x'.repeat(200)}…`],
  [{ prompt: '', messages: 'none' }, '{"prompt":"","messages":"none"}'],
])('the text of a task, case %#', (payload, text) => {
  expect(taskText(payload)).toBe(text);
});

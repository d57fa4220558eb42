import { describe, expect, it } from 'vitest';
import { officeTools } from '../clerk/office-tools.ts';
import { decodeFiles, type OfficeFiles } from '../files/office-files.ts';
import { OfficeReward } from '../judgement/office-reward.ts';
import type { Expected } from '../task.ts';
import { makeTasks } from './make-tasks.ts';

const tasks = await makeTasks();
const reward = new OfficeReward();

async function judged(before: OfficeFiles, after: OfficeFiles, expected: Expected) {
  const remarks: string[] = [];
  const value = await reward.compute(
    { before, after, expected },
    { remark: (text) => void remarks.push(text) },
  );
  return [value, ...remarks];
}

it('the same seed makes the same requests, another one others', async () => {
  const requests = async (seed: number) => (await makeTasks(seed)).map(({ payload }) => payload.request);
  expect(await requests(1)).toEqual(tasks.map(({ payload }) => payload.request));
  expect(await requests(2)).not.toEqual(await requests(1));
  // The scripted model knows tasks by their requests.
  expect(new Set(await requests(1)).size).toBe(20);
});

describe.each(tasks)('$id', ({ tags, payload: { files, expected = {} }, calls }) => {
  it('is rated, is done by its calls, and not by none', async () => {
    expect(tags.filter((tag) => /^(easy|medium|hard)$/.test(tag))).toHaveLength(1);
    const after = decodeFiles(files);
    const tools = officeTools(after);
    for (const call of calls) expect(await tools[call.name]!.run(call.arguments)).toBe('Done.');
    expect(await judged(decodeFiles(files), after, expected)).toEqual([1]);
    expect((await judged(decodeFiles(files), decodeFiles(files), expected))[0]).toBe(0);
  });
});

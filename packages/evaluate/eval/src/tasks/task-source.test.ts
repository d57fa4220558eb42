import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { readTasks } from './read-tasks.ts';
import { openTasks, type Tasks } from './task-source.ts';
import type { Task } from './task.ts';

async function read(tasks: Tasks, limit?: number): Promise<Task[]> {
  const found: Task[] = [];
  for await (const task of (await openTasks(tasks, limit)).open()) found.push(task);
  return found;
}

async function fileOf(name: string, text: string | Buffer): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, text);
  return path;
}

const gsm8k = {
  question: 'Natalia sold clips to 48 of her friends. How many?',
  answer: 'She sold 48/2 = <<48/2=24>>24 clips.\n#### 1,072',
};

describe("scenarios of AgentCore Evaluations' data sets", () => {
  const scenario = {
    scenario_id: 'sums',
    turns: [{ input: 'What is 6 times 7?', expected_response: '42' }],
  };

  it.each(['json', 'jsonl'])('are tasks, in .%s', async (format) => {
    const scenarios = [
      scenario,
      {
        scenario_id: 'tools',
        turns: [{ input: { question: 'And 3 plus 4?' }, expected_response: '7' }],
        assertions: ['It adds.'],
        expected_trajectory: ['add'],
        metadata: { level: 1 },
      },
    ];
    const text =
      format === 'json'
        ? JSON.stringify({ scenarios })
        : scenarios.map((one) => `${JSON.stringify(one)}\n`).join('');
    expect(await read(await fileOf(`scenarios.${format}`, text))).toEqual([
      { id: 'sums', payload: { prompt: 'What is 6 times 7?' }, tags: [], expected: '42' },
      {
        id: 'tools',
        payload: { question: 'And 3 plus 4?' },
        tags: [],
        expected: { expected_response: '7', assertions: ['It adds.'], expected_trajectory: ['add'] },
      },
    ]);
  });

  it.each([
    [{ ...scenario, turns: [...scenario.turns, { input: 'And then?' }] }, /one turn, got one with 2 turns/],
    [{ ...scenario, turns: [] }, /got one with 0 turns/],
    [{ ...scenario, turns: [{ input: 5 }] }, /a text or an object, got one with 5/],
    [{ scenario_id: 's', input: 'Hi', actor_profile: { context: 'c', goal: 'g' } }, /a simulated user/],
  ])('are refused where one call cannot play them', async (given, message) => {
    await expect(read([given])).rejects.toMatchObject({
      code: 'ART_INVALID_PAYLOAD',
      message: expect.stringMatching(message) as unknown,
    });
  });
});

describe('openTasks', () => {
  it('reads JSON lines: tasks, payloads alone, and GSM8K in its original form', async () => {
    const lines = [
      { id: 'one', payload: { prompt: 'p' }, tags: ['x', 'x'], expected: 4 },
      { prompt: 'q', id: 70 },
      { prompt: 'r', tags: 'whatever the payload means' },
      gsm8k,
    ];
    const path = await fileOf(
      't.jsonl',
      `\uFEFF${lines.map((line) => JSON.stringify(line)).join('\r\n\n')}\n`,
    );
    expect(await read(path)).toEqual([
      { id: 'one', payload: { prompt: 'p' }, tags: ['x'], expected: 4 },
      { id: '70', payload: { prompt: 'q', id: 70 }, tags: [], expected: null },
      { id: '5', payload: { prompt: 'r', tags: 'whatever the payload means' }, tags: [], expected: null },
      {
        id: '7',
        payload: { prompt: gsm8k.question, ...gsm8k },
        tags: [],
        expected: '1072',
      },
    ]);
  });

  it('reads CSV with quotes and line breaks in it', async () => {
    const path = await fileOf('t.csv', 'id,tags,question,expected\na,"x; y","What,\n""now""?",4\n,,2+2?,\n');
    expect(await read(path)).toEqual([
      { id: 'a', payload: { question: 'What,\n"now"?' }, tags: ['x', 'y'], expected: '4' },
      { id: '2', payload: { question: '2+2?' }, tags: [], expected: null },
    ]);
  });

  it('reads a folder in the order of its names, and a list in JSON', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'more'));
    await writeFile(join(folder, 'b.json'), '{"prompt":"b"}');
    await writeFile(join(folder, 'a.json'), '[{"id":"a1","prompt":"x"},{"id":"a2","prompt":"y"}]');
    await writeFile(join(folder, 'notes.txt'), 'not a task');
    // Tasks of several files that have no their own names must not get the same ones.
    await writeFile(join(folder, 'c.jsonl'), '{"prompt":"c"}\n');
    await writeFile(join(folder, 'd.csv'), 'prompt\nd\n');
    expect((await read(folder)).map(({ id }) => id)).toEqual(['a1', 'a2', 'b', 'c.jsonl:1', 'd.csv:1']);
  });

  it('reads a module that exports an async iterable, or a function that makes one', async () => {
    const path = await fileOf(
      't.mjs',
      'export default async function* () { yield { id: 1, payload: {} }; yield { p: 2 }; }',
    );
    expect((await read(path)).map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('takes lists and generators, and no more than it is told', async () => {
    const endless = function* (): Generator<object> {
      for (let n = 0; ; n += 1) yield { n };
    };
    expect(await read(endless, 3)).toHaveLength(3);
    expect((await openTasks(endless(), 3)).count).toBeUndefined();
    const { count, digest } = await openTasks([{ a: 1 }, { a: 2 }]);
    expect(count).toBe(2);
    expect((await openTasks([{ a: 1 }, { a: 3 }])).digest).not.toBe(digest);
  });

  it('ends a line at \\n only', async () => {
    const text = 'x\u2028y\u2029z';
    const path = await fileOf('t.jsonl', `${JSON.stringify({ payload: { text } })}\n`);
    expect(await read(path)).toMatchObject([{ payload: { text } }]);
  });

  it.each([
    [';', 'id;question;expected\na;"What, now?";4\n'],
    ['a tab', 'id\tquestion\texpected\na\t"What, now?"\t4\n'],
    ['; with commas in a quoted name', 'id;"question";expected\na;"What, now?";4\n'],
  ])('reads CSV separated by %s', async (_mark, text) => {
    expect(await read(await fileOf('t.csv', text))).toMatchObject([
      { id: 'a', payload: { question: 'What, now?' }, expected: '4' },
    ]);
  });

  it.each(['t.jsonl', 't.json', 't.csv'])('refuses a %s that is not UTF-8', async (name) => {
    const latin = Buffer.from('{"q":\n"sch\xf6n"}\n', 'latin1');
    await expect(read(await fileOf(name, latin))).rejects.toMatchObject({
      code: 'ART_TEXT_ENCODING',
      message: expect.stringContaining('line 2') as string,
    });
    const wide = Buffer.from('\uFEFF{"q":1}\n', 'utf16le');
    await expect(read(await fileOf(name, wide))).rejects.toThrow('UTF-16');
  });

  it.each([
    ['t.jsonl', '{"a":1}\n{"b":', 'ART_INVALID_PAYLOAD', 't.jsonl, line 2'],
    ['t.jsonl', '[1]', 'ART_INVALID_PAYLOAD', 'a JSON object'],
    ['t.jsonl', '{"payload":3}', 'ART_INVALID_PAYLOAD', '`payload` to be a JSON object'],
    ['t.jsonl', '{"payload":{},"tags":"x"}', 'ART_INVALID_PAYLOAD', '`tags`'],
    ['t.jsonl', '{"_rollout":{}}', 'ART_INVALID_PAYLOAD', '_rollout'],
    ['t.jsonl', '{"id":"x"}\n{"id":"x"}', 'ART_INVALID_PAYLOAD', '"x" twice'],
    ['t.jsonl', '\n', 'ART_INVALID_OPTION', 'one task at least'],
    ['t.csv', 'question,expected,question\n1,2,3\n', 'ART_INVALID_OPTION', 'two columns "question"'],
    ['t.csv', 'a,b\n1,2,3\n', 'ART_INVALID_OPTION', 'CSV'],
    ['t.txt', 'x', 'ART_INVALID_OPTION', '.jsonl'],
    ['t.mjs', 'export default 3', 'ART_INVALID_OPTION', 'default export'],
  ])('refuses %s with %j before anything is sent', async (name, text, code, message) => {
    const refusal = read(await fileOf(name, text));
    await expect(refusal).rejects.toThrow(message);
    await expect(refusal).rejects.toMatchObject({ code });
  });

  it('refuses a path where nothing is', async () => {
    await expect(read('/nowhere/t.jsonl')).rejects.toMatchObject({ code: 'ART_INVALID_OPTION' });
  });
});

/** Files of a data set by their paths below it. */
async function dataSet(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

describe('tables and data sets', () => {
  it.each(['none', 'snappy', 'zstd'])('reads Parquet as JSON has it, compressed by %s', async (name) => {
    const path = join(import.meta.dirname, 'golden', `${name}.parquet`);
    const columns = { prompt: 'question', expected: 'answer' };
    const [first, second, third] = await readTasks(path, { columns });
    expect(first).toEqual({
      id: '1',
      tags: [],
      expected: 4,
      payload: {
        prompt: 'What, now?',
        choices: ['a', 'b'],
        turns: [[1, 2], [3]],
        meta: { level: '1', n: 7 },
        score: 0.5,
        price: 0.3,
        at: '2026-01-31T12:00:00.000Z',
        bytes: '/wA=',
        good: true,
      },
    });
    expect(second).toMatchObject({ expected: 2n ** 60n + 1n, payload: { choices: [], score: null } });
    expect(third).toMatchObject({ expected: null, payload: { prompt: 'schön\u2028?', turns: [[]] } });
    expect(third!.payload['meta']).toEqual({ level: null, n: -(2n ** 53n) - 1n });
  });

  it('reads TSV, with quotes in its texts', async () => {
    const path = await fileOf('t.tsv', 'id\tq;uestion\texpected\na\tthe "x", now\t4\n');
    expect(await read(path)).toMatchObject([
      { id: 'a', payload: { 'q;uestion': 'the "x", now' }, expected: '4' },
    ]);
  });

  it('names columns, and does not send what becomes `expected`', async () => {
    const path = await fileOf(
      't.jsonl',
      '{"q":"a?","answer":1,"more":2}\n{"payload":{"q":"b?"},"answer":3,"hint":4}\n',
    );
    const tasks = await readTasks(path, { columns: { prompt: 'q', expected: 'answer', again: 'q' } });
    expect(tasks.map(({ payload, expected }) => [payload, expected])).toEqual([
      [{ prompt: 'a?', again: 'a?', more: 2 }, 1],
      [{ prompt: 'b?', again: 'b?' }, 3],
    ]);
    await expect(readTasks(path, { columns: { prompt: 'question' } })).rejects.toThrow(
      'Expected a column "question" (--columns), got q, answer, more in t.jsonl, line 1.',
    );
  });

  it('reads a split of a data set of Hugging Face, shards in their order', async () => {
    const root = await dataSet({
      'README.md': 'a card',
      'data/train-00000-of-00002.jsonl': '{"n":1}\n',
      'data/train-00001-of-00002.jsonl': '{"n":2}\n',
      'data/test-00000-of-00001.csv': 'n\n3\n',
    });
    const numbers = async (split?: string) =>
      (await readTasks(root, { split })).map(({ id, payload }) => [id, payload['n']]);
    expect(await numbers('train')).toEqual([
      ['data/train-00000-of-00002.jsonl:1', 1],
      ['data/train-00001-of-00002.jsonl:1', 2],
    ]);
    expect(await numbers('test')).toEqual([['data/test-00000-of-00001.csv:1', '3']]);
    await expect(numbers()).rejects.toThrow('the name of a split (--split): test, train');
    await expect(numbers('dev')).rejects.toThrow('test, train, got "dev"');
  });

  it('knows a split by its folder, refuses two configurations and a shard that is missing', async () => {
    const root = await dataSet({
      'main/test/0000.jsonl': '{"n":1}\n',
      'main/test/0001.jsonl': '{"n":2}\n',
      'other/test/0000.jsonl': '{"n":3}\n',
    });
    await expect(readTasks(root, { split: 'test' })).rejects.toThrow('2: main, other');
    expect(await readTasks(join(root, 'main'))).toHaveLength(2);
    const torn = await dataSet({ 'data/train-00001-of-00002.jsonl': '{"n":2}\n' });
    await expect(readTasks(torn)).rejects.toThrow('2 files of data/train, got 1: the data set is not whole');
  });

  it('refuses a Parquet file that is torn', async () => {
    const whole = await readFile(join(import.meta.dirname, 'golden/none.parquet'));
    for (const part of [whole.subarray(0, 100), whole.subarray(0, -10), Buffer.alloc(0)])
      await expect(read(await fileOf('t.parquet', part))).rejects.toMatchObject({
        code: 'ART_INVALID_OPTION',
        message: expect.stringContaining('Expected a Parquet file, got t.parquet: ') as string,
      });
  });

  it('knows the data by its digest', async () => {
    const path = await fileOf('t.csv', 'prompt\nx\n');
    const { sha256 } = await openTasks(path);
    expect(sha256).toBe(createHash('sha256').update('prompt\nx\n').digest('hex'));
  });
});

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
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

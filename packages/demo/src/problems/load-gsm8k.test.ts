import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadGsm8k, type LoadGsm8kOptions } from './load-gsm8k.ts';
import type { Problem } from './problem.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'math-agent-'));
});
afterEach(() => rm(directory, { recursive: true }));

async function load(text: string, options?: LoadGsm8kOptions) {
  const path = join(directory, 'data.jsonl');
  await writeFile(path, text);
  return await collect(loadGsm8k(path, options));
}

async function collect(problems: AsyncIterable<Problem>): Promise<Problem[]> {
  const all: Problem[] = [];
  for await (const problem of problems) all.push(problem);
  return all;
}

const line = (question: string, answer: string) => `${JSON.stringify({ question, answer })}\n`;

it('reads questions and the number after ####', async () => {
  await expect(
    load(line('How many?', '2 + 3 = <<2+3=5>>5\n#### 5') + '\r\n' + line('How much?', 'So:\n#### $70,000')),
  ).resolves.toEqual([
    { question: 'How many?', answer: '5' },
    { question: 'How much?', answer: '70000' },
  ]);
});

it.each([
  ['-3', '-3'],
  ['2.5', '2.5'],
  ['1,234,567', '1234567'],
])('reads the answer %s', async (written, answer) => {
  await expect(load(line('?', `#### ${written}`))).resolves.toEqual([{ question: '?', answer }]);
});

it('does not read past its limit', async () => {
  const text = `${line('a', '#### 1')}${line('b', '#### 2')}not JSON\n`;
  await expect(load(text, { limit: 2 })).resolves.toHaveLength(2);
  await expect(load(text, { limit: 0 })).resolves.toEqual([]);
});

it.each([
  ['not JSON\n', 'data.jsonl:2: Expected one JSON object a line'],
  ['null\n', 'data.jsonl:2: Expected "question" to be a non-empty string, got undefined'],
  ['{"question": "q"}\n', 'data.jsonl:2: Expected "answer" to be a string, got undefined'],
  [line('q', 'the answer is 5'), 'data.jsonl:2: Expected "answer" to end in "#### <number>"'],
])('names the line of %j', async (bad, message) => {
  await expect(load(line('good', '#### 1') + bad)).rejects.toMatchObject({
    code: 'ART_INVALID_PAYLOAD',
    message: expect.stringContaining(message),
  });
});

it('passes on that a file is missing', async () => {
  await expect(collect(loadGsm8k(join(directory, 'absent.jsonl')))).rejects.toMatchObject({ code: 'ENOENT' });
});

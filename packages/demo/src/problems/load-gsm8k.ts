import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { ArtError, describeValue } from '@art/protocol';
import type { Problem } from './problem.ts';

export interface LoadGsm8kOptions {
  /** Stop after this many problems; the rest of the file is not read. @default all of them */
  limit?: number;
}

/**
 * Reads problems from a GSM8K file (https://github.com/openai/grade-school-math): one JSON object a line with
 * `question` and `answer`, where the answer ends in `#### 18`. Empty lines are skipped.
 * @throws ArtError `ART_INVALID_PAYLOAD`, naming file and line
 */
export async function* loadGsm8k(
  path: string,
  options: LoadGsm8kOptions = {},
): AsyncGenerator<Problem, void> {
  const { limit = Infinity } = options;
  if (limit <= 0) return;
  const file = createReadStream(path, 'utf8');
  let lineNumber = 0;
  let count = 0;
  try {
    for await (const line of createInterface({ input: file, crlfDelay: Infinity })) {
      lineNumber += 1;
      if (line.trim() === '') continue;
      yield readLine(line, `${path}:${lineNumber}`);
      count += 1;
      if (count >= limit) return;
    }
  } finally {
    file.destroy();
  }
}

function readLine(line: string, place: string): Problem {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch (cause) {
    refuse(place, `Expected one JSON object a line: ${(cause as Error).message}.`, cause);
  }
  const { question, answer } = (row ?? {}) as { question?: unknown; answer?: unknown };
  if (typeof question !== 'string' || question.trim() === '') {
    refuse(place, `Expected "question" to be a non-empty string, got ${describeValue(question)}.`);
  }
  if (typeof answer !== 'string') {
    refuse(place, `Expected "answer" to be a string, got ${describeValue(answer)}.`);
  }
  const number = /####\s*\$?(-?[\d,]*\.?\d+)\s*$/.exec(answer)?.[1]?.replaceAll(',', '');
  if (number === undefined) {
    refuse(
      place,
      `Expected "answer" to end in "#### <number>", got the end ${describeValue(answer.slice(-40))}.`,
    );
  }
  return { question, answer: number };
}

function refuse(place: string, problem: string, cause?: unknown): never {
  throw new ArtError({ code: 'ART_INVALID_PAYLOAD', message: `${place}: ${problem}`, cause });
}

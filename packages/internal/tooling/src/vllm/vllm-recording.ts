import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

/** A request to an engine and its answer, byte for byte. */
export interface Exchange {
  method: string;
  path: string;
  /** The request's body; absent where it had none. */
  request?: unknown;
  status: number;
  /** Names as the engine spells them. */
  headers: readonly (readonly [name: string, value: string])[];
  /** The body, in the pieces in which it came. */
  pieces: readonly string[];
}

/** Sampled tokens of one choice. */
export interface SampledTokens {
  promptTokenIds: readonly number[];
  tokenIds: readonly number[];
  logprobs: readonly number[];
}

/** Requests and replies of the engine while an agent played a case, and the expected result. */
export interface RecordedCase {
  name: string;
  exchanges: readonly Exchange[];
  /** The tokens of each choice, read from the engine's answers without our code. */
  tokens: readonly SampledTokens[];
  /** Answers that the agent got, call by call. */
  said: readonly unknown[];
}

const recordingFile = join(import.meta.dirname, 'golden', 'vllm-0.32.jsonl.gz');

/** `zcat` shows it: a line for each case, in the order in which they were played. */
export function readVllmRecording(): RecordedCase[] {
  return gunzipSync(readFileSync(recordingFile))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedCase);
}

export async function writeVllmRecording(cases: readonly RecordedCase[]): Promise<void> {
  const text = cases.map((recorded) => `${JSON.stringify(recorded)}\n`).join('');
  await writeFile(recordingFile, gzipSync(text, { level: 9 }));
}

import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { TrainingRow } from '@art/trajectories';
import { ArtError, isJsonObject, type JsonObject } from '@art/protocol';
import { plainJson } from './plain-json.ts';
import { runFiles } from './run-folder.ts';
import { writeWhole } from './write-whole.ts';

/** A file below `transcripts`: what a sample was given, said and did. Everything in it may be hostile. */
export interface TranscriptRecord {
  schema: 'art.transcript.v1';
  taskId: string;
  sample: number;
  sessionId: string | null;
  /** What the agent was sent, without our own fields. */
  payload: JsonObject;
  /** What the task says that the answer is; null where it says nothing. */
  expected: unknown;
  /** The agent's result document, without its copy of the payload; null where there is none. */
  document: JsonObject | null;
  /**
   * Every message that any call was sent or answered, once each, in the order in which they came up, in the shape of chat
   * completions: `{ role, content, tool_calls?, tool_call_id? }`. A tool's arguments are in `tool_calls` of the assistant, its result
   * is the message of role `tool` with the same `tool_call_id`.
   */
  messages: JsonObject[];
  /** In the order in which they began. Empty without a gateway. */
  calls: ModelCallRecord[];
  /** What a trainer would get. Empty where nothing was captured that trains. */
  rows: TrainingRow[];
  /** Last lines of the session's log, where the runtime has one. */
  log: string | null;
}

export interface ModelCallRecord {
  traceId: string;
  /** Milliseconds since 1970. */
  startedAtMs: number;
  latencyMs: number;
  model: string;
  wire: string | null;
  finishReason: string | null;
  /** Indices into `messages`: the prompt in its order, and the answer. */
  prompt: number[];
  answer: number;
  tools: unknown[];
  promptTokens: number;
  completionTokens: number;
  /** Of the answer; null where the engine gave no token ids. */
  tokens: CompletionTokens | null;
  /** `complete`, `incomplete`, `partial` or `text_only`; `problems` says what is missing. */
  capture: string | null;
  problems: string[];
  weightVersion: number | null;
}

/** All lists have one element for each token of the answer. */
export interface CompletionTokens {
  ids: number[];
  /** Natural logarithms. */
  logprobs: number[] | null;
  /** Text of each token, where the engine told it. A character may be spread over several. */
  texts: string[] | null;
  /** 1 where the token trains; null where the call is in no row. */
  lossMask: number[] | null;
}

/** Path of a sample's transcript below the run's folder. Names that a file cannot have are replaced by a digest. */
export function transcriptPath(taskId: string, sample: number): string {
  const isPlain = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(taskId);
  // Some file systems know no capital letters, so `A` and `a` need two names.
  const digest = createHash('sha256').update(taskId).digest('hex').slice(0, 12);
  const name = isPlain && taskId === taskId.toLowerCase() ? taskId : `${readable(taskId)}~${digest}`;
  return `${runFiles.transcripts}/${name}.${sample}.json`;
}

function readable(taskId: string): string {
  return taskId
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 60);
}

/** @returns its path below the folder */
export async function writeTranscript(folder: string, record: TranscriptRecord): Promise<string> {
  const path = transcriptPath(record.taskId, record.sample);
  const file = join(folder, path);
  const text = plainJson(record);
  try {
    // A file that is not there yet needs no care: nothing tells of it before it is whole.
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error;
    await mkdir(dirname(file), { recursive: true });
    await writeWhole(file, text, { isDurable: false });
  }
  return path;
}

/**
 * @param path `transcript` of a sample
 * @throws ArtError `ART_INVALID_OPTION` where there is no such transcript below the folder
 */
export async function readTranscript(folder: string, path: string): Promise<TranscriptRecord> {
  const root = resolve(folder, runFiles.transcripts);
  const file = resolve(folder, path);
  // The path comes from a file that somebody else may have written.
  if (!file.startsWith(`${root}${sep}`)) throw noTranscript(path, 'it lies outside of the folder');
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw noTranscript(path, (cause as Error).message, cause);
  }
  if (!isJsonObject(value) || value['schema'] !== 'art.transcript.v1')
    throw noTranscript(path, 'it is not of the schema art.transcript.v1');
  return value as unknown as TranscriptRecord;
}

function noTranscript(path: string, why: string, cause?: unknown): ArtError {
  return new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected a transcript at ${path}: ${why}.`,
    cause,
  });
}

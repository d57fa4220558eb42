import { readFile } from 'node:fs/promises';
import { ArtError, isJsonObject, type JsonObject, plainJson } from '@art/ground';
import type { PriceTable } from '@art/protocol';
import { replaceRunFile, runPath } from './run-folder.ts';

/** `run.json`: what a run is. Written when it begins and each time it continues. It has no secrets. */
export interface RunRecord {
  schema: 'art.run.v1';
  runId: string;
  /** As its user calls it; null for none. */
  name: string | null;
  /** Milliseconds since 1970. */
  createdAtMs: number;
  /** Name of the agent: a command, an ARN, or what the program called it. */
  agent: string;
  /** `baseUrl` without credentials and query. */
  model: { baseUrl: string | null; modelId: string | null };
  tasks: {
    /** A path, or what the program called it. */
    source: string;
    /** Null until the source has been read to its end. */
    count: number | null;
    /** Digest of all tasks, by which a run that continues knows them again; null where they can be read only once. */
    digest: string | null;
    /** SHA-256 of the files that they come from, as `sha256sum` has it; of several, that of the list of theirs. Absent for others. */
    sha256?: string;
  };
  /** Further settings of the agent that change what is measured. Absent where they are not known. */
  settings?: JsonObject;
  /** Judge of the samples, by its name and a digest; null for the agent's own rewards. Absent in runs of earlier versions. */
  judge?: string | null;
  /** Ids of runs by whose results the tasks of this one were chosen, and of those by whose results theirs were. */
  selectedBy?: string[];
  /** Wanted samples of each task. */
  samples: number;
  /** Seed of the draw of tasks, where not all of them were taken. */
  seed: number;
  /** Reward from which a sample counts as passed. */
  passReward: number;
  /** Name of the rule that makes the score of a task of its samples: `median`, `mode`, `at-least:2`. Absent for their mean. */
  reduce?: string;
  /** Score of a failure of the agent itself; null where such samples are left out. */
  failureReward: number | null;
  /** Samples that may be excluded before the mean is not to be trusted: a number, or a share below 1. */
  maxFailures: number;
  /** Every other option, without secrets. */
  options: JsonObject;
  /** Null where the run is in no git repository. */
  git: GitState | null;
  /** By tokens; null where the user gave none. */
  prices: PriceTable | null;
  /** Run that this one judged again; null for one of its own. */
  rescoredFrom: string | null;
  /** Ids of that run, and of the one that it had judged again. */
  rescoredIds?: string[];
  /** One for each time that a process worked on the run, in order. */
  processes: RunProcess[];
}

export interface GitState {
  commit: string;
  branch: string | null;
  /** True if files differ from the commit. */
  isDirty: boolean;
}

export interface RunProcess {
  startedAtMs: number;
  pid: number;
  host: string;
  /** `art`, `node`, `platform`. */
  versions: Record<string, string>;
}

export async function writeRunRecord(folder: string, record: RunRecord): Promise<void> {
  await replaceRunFile(folder, 'run', `${plainJson(record, 2)}\n`);
}

/** @throws ArtError `ART_INVALID_OPTION` where the folder is no run's, or is one of a version that this one cannot read */
export async function readRunRecord(folder: string): Promise<RunRecord> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(runPath(folder, 'run'), 'utf8'));
  } catch (cause) {
    throw notARun(folder, (cause as Error).message, cause);
  }
  if (!isJsonObject(value) || value['schema'] !== 'art.run.v1')
    throw notARun(folder, 'its run.json is not of the schema art.run.v1');
  return value as unknown as RunRecord;
}

function notARun(folder: string, why: string, cause?: unknown): ArtError {
  return new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected the folder of an evaluation, got ${folder}: ${why}. "art eval" makes such folders.`,
    cause,
  });
}

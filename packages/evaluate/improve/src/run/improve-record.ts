import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ArtError, isJsonObject, type JsonObject, makeDirectory } from '@art/ground';
import { refuseOtherInputs, type RunInputs } from '@art/eval';
import { replaceFile } from '@art/store';

/** `improve.json`: what a search for prompts is. It has no secrets. */
export interface ImproveRecord {
  schema: 'art.improve.v1';
  /** Milliseconds since 1970. */
  createdAtMs: number;
  seed: number;
  minibatch: number;
  passReward: number;
  failureReward: number | null;
  /** Ids of the tasks by what they are for. */
  tasks: { training: string[]; validation: string[]; heldOut: string[]; digest: string };
  /** The inputs that it is measured with, and its judge. Absent in searches of earlier versions. */
  inputs?: RunInputs;
  /** Notes of the program that began it. */
  notes: JsonObject;
}

/** @throws ArtError `ART_INVALID_OPTION` where the folder has no search */
export async function readImproveRecord(folder: string): Promise<ImproveRecord> {
  const value: unknown = await readFile(pathOf(folder), 'utf8').then(JSON.parse, () => undefined);
  if (isJsonObject(value) && value['schema'] === 'art.improve.v1') return value as unknown as ImproveRecord;
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected the folder of "art improve", got ${folder}, which has no improve.json of the schema art.improve.v1.`,
  });
}

/**
 * Makes the folder of a search, or takes up the one that is in it.
 * @throws ArtError `ART_INVALID_OPTION` where that has other tasks or was begun otherwise: its evaluations would not fit
 */
export async function openImproveFolder(folder: string, wanted: ImproveRecord): Promise<void> {
  await makeDirectory(folder, 0o700);
  const isKnown = await readFile(pathOf(folder)).then(
    () => true,
    () => false,
  );
  if (!isKnown) {
    await replaceFile(pathOf(folder), `${JSON.stringify(wanted, undefined, 2)}\n`, { isDurable: true });
    return;
  }
  const known = await readImproveRecord(folder);
  for (const name of ['seed', 'minibatch', 'passReward', 'failureReward'] as const)
    if (known[name] !== wanted[name]) refuse(folder, name, known[name], wanted[name]);
  refuseOtherInputs(
    'search',
    folder,
    known.inputs ?? {},
    JSON.parse(JSON.stringify(wanted.inputs)) as RunInputs,
  );
  const { digest } = known.tasks;
  if (digest !== wanted.tasks.digest) refuse(folder, 'tasks', 'those that it was begun with', 'others');
}

function pathOf(folder: string): string {
  return join(folder, 'improve.json');
}

function refuse(folder: string, name: string, was: unknown, is: unknown): never {
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected the ${name} of the search in ${folder} to stay as it was: ${String(was)}, got ${String(is)}. Begin a new one in another folder.`,
  });
}

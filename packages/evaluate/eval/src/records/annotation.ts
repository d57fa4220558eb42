import {
  ArtError,
  describeThrown,
  holdFolder,
  isJsonObject,
  JsonLinesFile,
  readJsonLines,
  refuseOption,
  syncDirectory,
} from '@art/ground';
import { runPath } from './run-folder.ts';

/** A person's score of a sample: a judgement of its own, beside the one that was measured. */
export interface Annotation {
  schema: 'art.annotation.v1';
  judge: 'human';
  /** Id of the sample: `task#0`. */
  id: string;
  /** Null for a remark alone, and for a score that was taken back. */
  label: number | null;
  remark: string;
  /** Counts the annotations of the sample, from 1. */
  revision: number;
  atMs: number;
}

const longestRemark = 10_000;

/** The line of an annotation; undefined for anything else. */
export function readAnnotation(value: unknown): Annotation | undefined {
  if (!isJsonObject(value) || value['schema'] !== 'art.annotation.v1') return undefined;
  const { id, label, remark, revision } = value;
  const isLabel = label === null || Number.isFinite(label);
  const isSound =
    typeof id === 'string' && isLabel && typeof remark === 'string' && Number.isSafeInteger(revision);
  return isSound ? (value as unknown as Annotation) : undefined;
}

/** The last annotation of each sample of a run, by the sample's id. */
export async function readAnnotations(folder: string): Promise<Map<string, Annotation>> {
  const latest = new Map<string, Annotation>();
  for await (const { value } of readJsonLines(runPath(folder, 'human'))) {
    const annotation = readAnnotation(value);
    if (annotation !== undefined) latest.set(annotation.id, annotation);
  }
  return latest;
}

/**
 * Appends an annotation to a run that nobody works on. Earlier ones stay in the file, and nothing else of the run changes.
 * @param given `replaces` is the revision that the person saw, 0 for none
 * @throws ArtError `ART_INVALID_OPTION`, `ART_FOLDER_HELD`, `ART_FOLDER_NOT_HELD`; `ART_ANNOTATION_CHANGED` where another one came first;
 *   `ART_ANNOTATION_NOT_KEPT` where it cannot be written
 */
export async function annotate(
  folder: string,
  { id, label, remark, replaces }: { id: string; label: unknown; remark: unknown; replaces: unknown },
  nowMs: number = Date.now(),
): Promise<Annotation> {
  if (label !== null && !(typeof label === 'number' && Number.isFinite(label)))
    refuseOption('label', 'a finite number, or null for none', label);
  if (typeof remark !== 'string' || remark.length > longestRemark)
    refuseOption('remark', `a text of at most ${longestRemark} characters`, remark);
  try {
    await using _ = await holdFolder(folder, {
      what: `the run in ${folder}`,
      advice: 'Annotate it when the run has ended.',
    });
    const before = (await readAnnotations(folder)).get(id);
    const revision = before?.revision ?? 0;
    if (replaces !== revision)
      throw new ArtError({
        code: 'ART_ANNOTATION_CHANGED',
        message: `Expected annotation ${String(replaces)} of ${id} to be the last one, got ${revision}: another page has given ${before?.label ?? 'no score'} meanwhile. Load the page again, and decide.`,
      });
    const made: Annotation = {
      schema: 'art.annotation.v1',
      judge: 'human',
      id,
      label,
      remark,
      revision: revision + 1,
      atMs: nowMs,
    };
    await using file = await JsonLinesFile.open(runPath(folder, 'human'), { gatherMs: 0 });
    await file.append(made);
    await syncDirectory(folder);
    return made;
  } catch (error) {
    if (ArtError.isInstance(error)) throw error;
    throw new ArtError({
      code: 'ART_ANNOTATION_NOT_KEPT',
      message: `Expected to write ${runPath(folder, 'human')}, got: ${describeThrown(error).message}. Make room, or let this process write there.`,
      cause: error,
    });
  }
}

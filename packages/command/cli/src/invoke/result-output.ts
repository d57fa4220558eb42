import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import {
  ArtError,
  isJsonObject,
  joinSentences,
  JsonLinesFile,
  readJsonLines,
  refuseOption,
} from '@art/ground';
import type { GroupRecord, RolloutRecord } from '@art/trajectories';
import type { CliContext } from '../cli-context.ts';
import { printedJson } from '../terminal/printed-json.ts';

/** The place of the outcomes of a run, a line each. */
export interface ResultOutput extends AsyncDisposable {
  /** True if the outcome of this item is there already, from an earlier process. */
  has(id: string): boolean;
  /** Resolves when the line is durable: a file that was forced to the disk, or a stream that took it. */
  write(record: RolloutRecord | GroupRecord): Promise<void>;
}

/**
 * The file that is named, else stdout.
 * @throws ArtError `ART_INVALID_OPTION` for a file that has something else in it, `ART_OUTPUT_FAILED`
 */
export async function openResultOutput(
  path: string | undefined,
  runId: string,
  context: Pick<CliContext, 'cwd' | 'stdout'>,
  onNotice: (message: string) => void,
): Promise<ResultOutput> {
  if (path !== undefined) return openFile(resolve(context.cwd, path), runId, onNotice);
  return {
    has: () => false,
    write: (record) => Promise.resolve(void context.stdout.write(printedJson(record))),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/**
 * A file that results are appended to. A line is forced to the disk before its item is acknowledged, and one that is there
 * already is not written again, so that no kill and no power failure loses or doubles a line. What a kill left of a line is
 * cut off.
 */
async function openFile(
  path: string,
  runId: string,
  onNotice: (message: string) => void,
): Promise<ResultOutput> {
  const failed = (cause: unknown): never => {
    throw ArtError.isInstance(cause) ? cause : outputFailed(path, cause);
  };
  const ids = await idsOf(path, runId).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? new Set<string>() : failed(error),
  );
  const file = await JsonLinesFile.open(path, { gatherMs: 0 }).catch(failed);
  if (file.tornBytes > 0) onNotice(`${path}: cut off the last ${file.tornBytes} bytes, an incomplete line.`);
  return {
    has: (id) => ids.has(id),
    write: (record) =>
      file
        .appendText(printedJson(record).trimEnd())
        .then(() => file.sync())
        .then(() => undefined, failed),
    [Symbol.asyncDispose]: () => file.close().catch(failed),
  };
}

function outputFailed(path: string, cause: unknown): ArtError {
  return new ArtError({
    code: 'ART_OUTPUT_FAILED',
    message: joinSentences(
      `Results could not be written to ${path}: ${(cause as Error).message}`,
      'Make room, or name another file with --out; the run can be resumed.',
    ),
    cause,
  });
}

/**
 * Both files are JSON lines, so results that are appended to the payloads would become payloads themselves.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function checkOutputFile(
  { payloads, out }: { payloads: string; out?: string | undefined },
  cwd: string,
): void {
  if (out === undefined || payloads === '-' || resolve(cwd, out) !== resolve(cwd, payloads)) return;
  refuseOption('--out', 'another file than --payloads', out);
}

/**
 * Ids of the run's items that have a line already.
 * @throws ArtError `ART_INVALID_OPTION` for a file in which other things are
 */
async function idsOf(path: string, runId: string): Promise<Set<string>> {
  const ids = new Set<string>();
  let end = 0;
  for await (const { value, endByte } of readJsonLines(path)) {
    // A line of another program is left alone as long as it is an object.
    if (!isJsonObject(value)) throw notResults(path);
    if (value['runId'] === runId && typeof value['id'] === 'string') ids.add(value['id']);
    end = endByte;
  }
  const tail = createReadStream(path, { start: end, end });
  for await (const byte of tail) if ((byte as Buffer).toString() !== '{') throw notResults(path);
  return ids;
}

function notResults(path: string): ArtError {
  return new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected --out to be a new file, or one of JSON lines to append to; ${path} has something else in it. Name another file.`,
  });
}

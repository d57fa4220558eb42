import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ArtError, joinSentences, refuseOption } from '@art/ground';
import type { CliContext } from '../cli-context.ts';

/** Where the outcomes of a run go, a line each. */
export interface ResultOutput extends AsyncDisposable {
  /** Whether the outcome of this item is there already, from an earlier process. */
  has(id: string): boolean;
  /** Resolves when the line is durable: a file that was forced to the disk, or a stream that took it. */
  write(line: string): Promise<void>;
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
    write: (line) => Promise.resolve(void context.stdout.write(line)),
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
  let file: FileHandle;
  try {
    file = await open(path, 'a+');
  } catch (cause) {
    throw outputFailed(path, cause);
  }
  try {
    const { ids, wholeBytes, tornBytes } = await readResultFile(file, path, runId);
    if (tornBytes > 0) {
      await file.truncate(wholeBytes);
      onNotice(`${path}: cut off the last ${tornBytes} bytes, an incomplete line.`);
    }
    return resultFile(file, path, ids);
  } catch (error) {
    await file.close();
    throw ArtError.isInstance(error) ? error : outputFailed(path, error);
  }
}

function resultFile(file: FileHandle, path: string, ids: Set<string>): ResultOutput {
  return {
    has: (id) => ids.has(id),
    async write(line) {
      try {
        await file.appendFile(line);
        await file.datasync();
      } catch (cause) {
        throw outputFailed(path, cause);
      }
    },
    [Symbol.asyncDispose]: () => file.close(),
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

/** What a file of results has. */
interface ResultFileContents {
  /** Of items of the run that have a line. */
  ids: Set<string>;
  /** Bytes up to the end of the last whole line. */
  wholeBytes: number;
  /** Bytes behind it. */
  tornBytes: number;
}

/** Every line of ours begins so; the rest may be megabytes, and is not looked at. */
const beginning = /^\{"runId":"([A-Za-z0-9._-]+)","id":("(?:[^"\\]|\\.)*"),/;
const beginningBytes = 4_096;
const portionBytes = 1 << 20;
const newline = 10;

/** @throws ArtError `ART_INVALID_OPTION` for a file in which other things are */
async function readResultFile(file: FileHandle, path: string, runId: string): Promise<ResultFileContents> {
  const ids = new Set<string>();
  let wholeBytes = 0;
  let position = 0;
  let line = '';
  const buffer = Buffer.alloc(portionBytes);
  const endLine = (): void => {
    const [, ofRun, id] = beginning.exec(Buffer.from(line, 'latin1').toString()) ?? [];
    // A line of another program is left alone as long as it is JSON of some kind.
    if (line !== '' && !line.startsWith('{')) throw notResults(path);
    if (ofRun === runId) ids.add(JSON.parse(id!) as string);
    line = '';
  };
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, portionBytes, position);
    if (bytesRead === 0) break;
    let from = 0;
    for (;;) {
      const end = buffer.subarray(0, bytesRead).indexOf(newline, from);
      const part = buffer.subarray(from, end === -1 ? bytesRead : end);
      // Byte by byte, since a part may end within a character.
      if (line.length < beginningBytes) line += part.toString('latin1', 0, beginningBytes);
      if (end === -1) break;
      endLine();
      from = end + 1;
      wholeBytes = position + from;
    }
    position += bytesRead;
  }
  if (line !== '' && !line.startsWith('{')) throw notResults(path);
  return { ids, wholeBytes, tornBytes: position - wholeBytes };
}

function notResults(path: string): ArtError {
  return new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected --out to be a new file, or one of JSON lines to append to; ${path} has something else in it. Name another file.`,
  });
}

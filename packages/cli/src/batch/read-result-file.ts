import type { FileHandle } from 'node:fs/promises';
import { ArtError } from '@art/protocol';

/** What a file of results has. */
export interface ResultFileContents {
  /** Items of the run that have a line. */
  indexes: Set<number>;
  /** Bytes up to the end of the last whole line. */
  wholeBytes: number;
  /** Bytes behind it. */
  tornBytes: number;
}

/** Every line of ours begins so; the rest may be megabytes, and is not looked at. */
const beginning = /^\{"runId":"([A-Za-z0-9._-]+)","index":(\d+),/;
const beginningBytes = 256;
const portionBytes = 1 << 20;
const newline = 10;

/** @throws ArtError `ART_INVALID_OPTION` for a file in which other things are */
export async function readResultFile(
  file: FileHandle,
  path: string,
  runId: string,
): Promise<ResultFileContents> {
  const indexes = new Set<number>();
  let wholeBytes = 0;
  let position = 0;
  let line = '';
  const buffer = Buffer.alloc(portionBytes);
  const endLine = (): void => {
    const [, ofRun, index] = beginning.exec(line) ?? [];
    // A line of another program is left alone as long as it is JSON of some kind.
    if (line !== '' && !line.startsWith('{')) throw notResults(path);
    if (ofRun === runId) indexes.add(Number(index));
    line = '';
  };
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, portionBytes, position);
    if (bytesRead === 0) break;
    let from = 0;
    for (;;) {
      const end = buffer.subarray(0, bytesRead).indexOf(newline, from);
      const part = buffer.subarray(from, end === -1 ? bytesRead : end);
      // Of ASCII only what matters here, so a character that is cut in two does no harm.
      if (line.length < beginningBytes) line += part.toString('latin1', 0, beginningBytes);
      if (end === -1) break;
      endLine();
      from = end + 1;
      wholeBytes = position + from;
    }
    position += bytesRead;
  }
  if (line !== '' && !line.startsWith('{')) throw notResults(path);
  return { indexes, wholeBytes, tornBytes: position - wholeBytes };
}

function notResults(path: string): ArtError {
  return new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected --out to be a new file, or one of JSON lines to append to; ${path} has something else in it. Name another file.`,
  });
}

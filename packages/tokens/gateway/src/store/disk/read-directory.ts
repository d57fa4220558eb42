import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CaptureSessionTable } from '../session-table.ts';
import { StoredCapture } from '../stored-capture.ts';
import { diskFailure } from './disk-failure.ts';
import { EndedSessions } from './ended-sessions.ts';
import { decodeEvent, frameAt, frameKinds, isTornAt, type Frame } from './frame.ts';
import { FrameFile } from './frame-file.ts';
import type { OpenFiles } from './open-files.ts';

/** Findings when a store was opened. */
export interface RecoveryReport {
  readonly sessions: number;
  readonly captures: number;
  /** Bytes behind the last whole records, as a process leaves them that was killed while it wrote; they are cut off. */
  readonly tornBytes: number;
  /** Other damage, in words; empty where there is none. */
  readonly problems: readonly string[];
}

const ending = '.captures';
/** Files that are read at the same time. */
const readTogether = 32;

/** The file of a session; its name may hold anything. */
export function sessionFile(files: OpenFiles, directory: string, sessionId: string): FrameFile {
  return new FrameFile(files, join(directory, createHash('sha256').update(sessionId).digest('hex') + ending));
}

/** Reads all files into a table that is still empty. @throws ArtError `ART_GATEWAY_STORE_FAILED` */
export async function readDirectory(
  files: OpenFiles,
  directory: string,
  table: CaptureSessionTable,
): Promise<{ recovery: RecoveryReport; ended: EndedSessions }> {
  let tornBytes = 0;
  const problems: string[] = [];
  const read = async (name: string, take: (frame: Frame, file: FrameFile) => boolean): Promise<FrameFile> => {
    const path = join(directory, name);
    try {
      const bytes = await readFile(path);
      const file = new FrameFile(files, path, bytes.byteLength);
      let offset = 0;
      for (
        let frame = frameAt(bytes, 0);
        frame !== undefined && take(frame, file);
        frame = frameAt(bytes, offset)
      )
        offset += frame.length;
      const lostBytes = bytes.byteLength - offset;
      if (lostBytes > 0 && isTornAt(bytes, offset)) tornBytes += lostBytes;
      else if (lostBytes > 0) {
        // Whole records may stand behind the damage: what is cut off here can still be had from the copy.
        const copy = `${path}.damaged`;
        await writeFile(copy, bytes, { mode: 0o600 });
        problems.push(
          `${path}: ${lostBytes} bytes from byte ${offset} on are damaged and were cut off. ${copy} is the file as it was; delete it when you need it no more.`,
        );
      }
      if (lostBytes > 0 || offset === 0) await file.rewind(offset);
      return file;
    } catch (error) {
      throw diskFailure(path, error);
    }
  };
  const names = await readdir(directory).catch((error: unknown) => {
    throw diskFailure(directory, error);
  });
  let endCount = 0;
  // First: a session that is there was created again.
  const endName = 'ended.log';
  const endFile = names.includes(endName)
    ? await read(endName, (frame) => {
        noteEnd(frame, table);
        endCount += 1;
        return true;
      })
    : new FrameFile(files, join(directory, endName));
  const sessionNames = names.filter((name) => name.endsWith(ending));
  while (sessionNames.length > 0) {
    const together = sessionNames.splice(0, readTogether);
    await Promise.all(together.map((name) => read(name, (frame, file) => noteRecord(frame, file, table))));
  }
  table.sortByActivity();
  const { sessions, captures } = table.stats();
  const ended = new EndedSessions(endFile, endCount, { files, tombstones: table.tombstones });
  return { recovery: { sessions, captures, tornBytes, problems }, ended };
}

function noteEnd(frame: Frame, { tombstones }: CaptureSessionTable): void {
  const record = decodeEvent(frame.body);
  if (record.event === 'end') tombstones.add(record.sessionId, { end: record.end, atMs: record.atMs });
}

/** False for a record that cannot be where it is. */
function noteRecord(frame: Frame, file: FrameFile, table: CaptureSessionTable): boolean {
  if (frame.kind === frameKinds.capture) {
    const stored = new StoredCapture(frame.body);
    const { ordinal, storedAtMs } = stored.layout;
    const fields = stored.fields();
    const entry = table.ensure(fields.sessionId, storedAtMs, file);
    if (ordinal !== entry.captureIds.length) return false;
    table.record(entry, fields, storedAtMs, frame.length);
    return true;
  }
  const record = decodeEvent(frame.body);
  if (record.event === 'create') {
    table.create(record.init, record.atMs, file);
  } else if (record.event === 'finish') {
    const entry = table.find(record.sessionId);
    if (entry !== undefined) table.finish(entry, record.atMs, record.metadata);
  }
  return true;
}

import { readTraceHeader, decodeTrace } from '../stored-trace.ts';
import type { SessionEntry, SessionTable } from '../session-table.ts';
import { frameAt, frameKinds, type Frame } from './frame.ts';
import type { FrameLocation, Segment } from './segment.ts';
import { decodeSessionRecord, type SessionRecord } from './session-record.ts';

/** What was found when a store was opened. */
export interface RecoveryReport {
  readonly segments: number;
  readonly sessions: number;
  readonly traces: number;
  /** Bytes behind the last whole record, as a process leaves them that was killed while it wrote; they are cut off. */
  readonly tornBytes: number;
  /** What was damaged in other ways and could not be read, in words; empty where all is well. */
  readonly problems: readonly string[];
}

type DiskEntry = SessionEntry<FrameLocation[]>;

interface FoundTrace {
  location: FrameLocation;
  traceId: string;
  storedAtMs: number;
  capture: ReturnType<typeof readTraceHeader>['capture'];
}

/** Reads all segments, oldest first, into a table that is still empty. */
export async function replayLog(
  segments: readonly Segment[],
  table: SessionTable<FrameLocation[]>,
): Promise<RecoveryReport> {
  const found = new Map<DiskEntry, Map<number, FoundTrace>>();
  const problems: string[] = [];
  let tornBytes = 0;
  for (const segment of segments) {
    const bytes = await segment.readAll();
    let offset = 0;
    for (let frame = frameAt(bytes, 0); frame !== undefined; frame = frameAt(bytes, offset)) {
      if (frame.kind === frameKinds.trace) noteTrace(frame, segment, table, found);
      else replaySession(decodeSessionRecord(frame.body), table);
      offset += frame.length;
    }
    if (offset === bytes.byteLength) continue;
    if (segment === segments.at(-1)) {
      tornBytes = bytes.byteLength - offset;
      segment.size = offset;
      await segment.rewind();
    } else {
      problems.push(`${segment.path}: ${bytes.byteLength - offset} bytes from byte ${offset} on are damaged`);
    }
  }
  for (const entry of table.entries()) {
    const missing = settle(entry, found.get(entry) ?? new Map<number, FoundTrace>(), table);
    if (missing > 0) {
      problems.push(
        `session ${JSON.stringify(entry.sessionId)}: ${missing} traces behind a lost one are given up`,
      );
    }
  }
  table.sortByActivity();
  const { sessions, traces } = table.stats();
  return { segments: segments.length, sessions, traces, tornBytes, problems };
}

function noteTrace(
  frame: Frame,
  segment: Segment,
  table: SessionTable<FrameLocation[]>,
  found: Map<DiskEntry, Map<number, FoundTrace>>,
): void {
  const { bytes, headerStart, headerEnd } = decodeTrace(frame.body);
  const header = readTraceHeader(bytes.toString('utf8', headerStart, headerEnd));
  const entry = table.ensure(header.sessionId, header.storedAtMs);
  const traces = found.get(entry) ?? new Map<number, FoundTrace>();
  found.set(entry, traces);
  // By ordinal: a record that was copied out of an older segment comes again, and behind later ones.
  traces.set(header.ordinal, {
    location: { segment, offset: frame.offset, length: frame.length },
    traceId: header.traceId,
    storedAtMs: header.storedAtMs,
    capture: header.capture,
  });
}

function replaySession(record: SessionRecord, table: SessionTable<FrameLocation[]>): void {
  switch (record.event) {
    case 'create':
      table.create(record.init, record.atMs);
      return;
    case 'finish': {
      const entry = table.find(record.sessionId);
      if (entry !== undefined) table.finish(entry, record.atMs);
      return;
    }
    case 'end':
      // As deleted, so that what an earlier process evicted is not counted here. A copied record of a session whose own
      // records are gone finds nothing to remove, and is a tombstone all the same.
      table.remove(record.sessionId, 'deleted', record.atMs);
      table.tombstones.add(record.sessionId, { end: record.end, atMs: record.atMs });
      return;
    case 'state': {
      const entry = table.ensure(record.sessionId, record.createdAtMs);
      entry.createdAtMs = record.createdAtMs;
      entry.activeAtMs = record.activeAtMs;
      entry.acceptFromMs = record.acceptFromMs ?? Number.NEGATIVE_INFINITY;
      entry.finished = record.finished;
      entry.metadata = record.metadata;
      entry.samplingParams = record.samplingParams;
    }
  }
}

/** Puts the traces of a session in their order; how many have to be given up because one before them is lost. */
function settle(
  entry: DiskEntry,
  traces: Map<number, FoundTrace>,
  table: SessionTable<FrameLocation[]>,
): number {
  for (let ordinal = 0; ordinal < traces.size; ordinal += 1) {
    const trace = traces.get(ordinal);
    if (trace === undefined) return traces.size - ordinal;
    entry.content.push(trace.location);
    table.record(entry, trace, trace.storedAtMs, trace.location.length);
  }
  return 0;
}

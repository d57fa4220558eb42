import { readTraceHeader, decodeTrace } from '../stored-trace.ts';
import type { SessionTable } from '../session-table.ts';
import { frameAt, frameKinds, type Frame } from './frame.ts';
import type { FrameLocation, Segment } from './segment.ts';
import type { NewFrame, ReserveUse, SegmentLog } from './segment-log.ts';
import { decodeSessionRecord, encodeSessionRecord, recordedSessionId } from './session-record.ts';

/** Most bytes that are copied between two groups of appends, so that these do not wait for long. */
const maxStepBytes = 4 * 1_048_576;

/**
 * Gives up the oldest segment: what is still needed of it is written again at the end of the log. Only ever the oldest,
 * so that no record that ended a session goes before the records that it ended.
 */
export class Compaction {
  readonly #log: SegmentLog;
  readonly #table: SessionTable<FrameLocation[]>;
  readonly #stepBytes: number;
  readonly #use: ReserveUse;

  /** @param use what copies may take of the reserve */
  constructor(
    log: SegmentLog,
    table: SessionTable<FrameLocation[]>,
    options: { segmentBytes: number; use: ReserveUse },
  ) {
    this.#stepBytes = Math.min(maxStepBytes, options.segmentBytes);
    this.#use = options.use;
    this.#log = log;
    this.#table = table;
  }

  /** Steps to be run one by one by the writer, anything in between. */
  async *steps(segment: Segment, nowMs: number): AsyncGenerator<() => Promise<void>, void, void> {
    const bytes = await segment.readAll();
    const described = new Set<string>();
    let offset = 0;
    let frames: Frame[] = [];
    let waitingBytes = 0;
    for (let frame = frameAt(bytes, 0); frame !== undefined; frame = frameAt(bytes, offset)) {
      frames.push(frame);
      waitingBytes += frame.length;
      offset += frame.length;
      if (waitingBytes < this.#stepBytes) continue;
      const batch = frames;
      yield () => this.#copy(segment, batch, described, nowMs);
      frames = [];
      waitingBytes = 0;
    }
    yield async () => {
      await this.#copy(segment, frames, described, nowMs);
      await this.#log.removeOldest();
    };
  }

  async #copy(
    segment: Segment,
    frames: readonly Frame[],
    described: Set<string>,
    nowMs: number,
  ): Promise<void> {
    const copies: { frame: NewFrame; moveTo?: (location: FrameLocation) => void }[] = [];
    for (const frame of frames) {
      if (frame.kind === frameKinds.session) {
        const copy = this.#sessionCopy(frame, described, nowMs);
        if (copy !== undefined) copies.push({ frame: copy });
      } else {
        const moveTo = this.#moveOf(segment, frame);
        if (moveTo !== undefined) copies.push({ frame, moveTo });
      }
    }
    if (copies.length === 0) return;
    const locations = await this.#log.append(
      copies.map((copy) => copy.frame),
      this.#use,
    );
    for (const [index, { moveTo }] of copies.entries()) moveTo?.(locations[index]!);
  }

  /** What has to be said of a session instead of what the record says; undefined for nothing. */
  #sessionCopy(frame: Frame, described: Set<string>, nowMs: number): NewFrame | undefined {
    const record = decodeSessionRecord(frame.body);
    const sessionId = recordedSessionId(record);
    // One record says it all, however many there were.
    if (described.has(sessionId)) return undefined;
    const entry = this.#table.find(sessionId);
    if (entry !== undefined) {
      described.add(sessionId);
      const { createdAtMs, activeAtMs, acceptFromMs, finished, metadata, samplingParams } = entry;
      const state = {
        event: 'state',
        sessionId,
        createdAtMs,
        activeAtMs,
        acceptFromMs: Number.isFinite(acceptFromMs) ? acceptFromMs : undefined,
        finished,
        metadata,
        samplingParams,
      } as const;
      return { kind: frameKinds.session, body: encodeSessionRecord(state) };
    }
    const stone = this.#table.tombstones.get(sessionId, nowMs);
    if (stone === undefined || record.event !== 'end') return undefined;
    described.add(sessionId);
    return { kind: frameKinds.session, body: encodeSessionRecord({ event: 'end', sessionId, ...stone }) };
  }

  /** How to note that a trace has moved; undefined if nobody needs it at this place any more. */
  #moveOf(segment: Segment, frame: Frame): ((location: FrameLocation) => void) | undefined {
    const { bytes, headerStart, headerEnd } = decodeTrace(frame.body);
    const { sessionId, ordinal } = readTraceHeader(bytes.toString('utf8', headerStart, headerEnd));
    const content = this.#table.find(sessionId)?.content;
    const location = content?.[ordinal];
    if (content === undefined || location?.segment !== segment || location.offset !== frame.offset) {
      return undefined;
    }
    return (moved) => {
      content[ordinal] = moved;
    };
  }
}

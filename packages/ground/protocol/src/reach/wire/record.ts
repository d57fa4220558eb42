import { reachError } from '../reach-error.ts';

/** Types of records. Stream 0 is the socket itself, every other stream is one call. */
export const recordType = {
  /** JSON: who opens the socket, and what proves it. Answered with the same. */
  hello: 1,
  /** Text: why the socket ends. */
  bye: 2,
  ping: 3,
  /** The bytes of the ping, as many as fit into a message. */
  pong: 4,
  /** u32: how many bytes more a stream may carry; on stream 0 how many messages. */
  window: 5,
  /** JSON: method, path and headers of a call. */
  open: 6,
  /** JSON: status and headers of its answer. */
  head: 7,
  data: 8,
  end: 9,
  /** Text: why a stream breaks off. */
  reset: 10,
} as const;

export type RecordType = (typeof recordType)[keyof typeof recordType];

export interface ReachRecord {
  type: RecordType;
  stream: number;
  payload: Buffer;
}

/** `type u8 | stream u32 | length u32`, big-endian, before the bytes of each record. */
export const recordHeaderBytes = 9;

const knownTypes = new Set<number>(Object.values(recordType));
const nothing = Buffer.alloc(0);

export function writeRecord(type: RecordType, stream: number, payload: Uint8Array = nothing): Buffer {
  const bytes = Buffer.allocUnsafe(recordHeaderBytes + payload.length);
  bytes.writeUInt8(type, 0);
  bytes.writeUInt32BE(stream, 1);
  bytes.writeUInt32BE(payload.length, 5);
  bytes.set(payload, recordHeaderBytes);
  return bytes;
}

/** A `window` record: credit in bytes, or on stream 0 in messages. */
export function writeWindow(stream: number, credit: number): Buffer {
  const payload = Buffer.allocUnsafe(4);
  payload.writeUInt32BE(credit);
  return writeRecord(recordType.window, stream, payload);
}

/** @throws ArtError `ART_REACH_WIRE` */
export function readWindow({ payload }: ReachRecord): number {
  if (payload.length !== 4) throw badWire(`a window of 4 bytes, got ${payload.length}`);
  return payload.readUInt32BE();
}

/**
 * The records of a message, in their order. Their payloads share its memory.
 * @throws ArtError `ART_REACH_WIRE`
 */
export function readRecords(message: Buffer): ReachRecord[] {
  const records: ReachRecord[] = [];
  for (let at = 0; at < message.length;) {
    const from = at + recordHeaderBytes;
    if (from > message.length) throw badWire(`whole records, got a rest of ${message.length - at} bytes`);
    const type = message.readUInt8(at) as RecordType;
    const length = message.readUInt32BE(at + 5);
    if (!knownTypes.has(type)) throw badWire(`a known type of record, got ${type}`);
    if (from + length > message.length)
      throw badWire(`a record of ${length} bytes, got ${message.length - from}`);
    records.push({
      type,
      stream: message.readUInt32BE(at + 1),
      payload: message.subarray(from, from + length),
    });
    at = from + length;
  }
  return records;
}

/** The error for what the other side may not send. */
export function badWire(expected: string): Error {
  return reachError('ART_REACH_WIRE', `Expected ${expected}.`);
}

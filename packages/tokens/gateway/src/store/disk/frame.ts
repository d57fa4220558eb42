import { crc32 } from 'node:zlib';
import { parseJson, stringifyJson } from '@art/ground';
import type { LogRecord, LoggedSession } from '../session-log.ts';

/**
 * Kinds of a frame's body. A changed layout gets a new number: files of an older gateway are kept aside, never misread.
 */
export const frameKinds = { capture: 5, session: 2 } as const;

type FrameKind = (typeof frameKinds)[keyof typeof frameKinds];

/** A record in a file: 4 bytes of length, 4 bytes of CRC-32 of what follows, 1 byte of kind, the body. */
export interface Frame {
  readonly kind: FrameKind;
  readonly body: Buffer;
  /** Where the frame begins in its file, and its length in all. */
  readonly offset: number;
  readonly length: number;
}

export const frameHeaderBytes = 9;

/** The two parts of a record's frame, to be written one after the other: a capture is not copied. @throws ArtError `ART_JSON_WRITE` */
export function encodeFrame(record: LogRecord): [header: Buffer, body: Buffer] {
  const isCapture = Buffer.isBuffer(record);
  const body = isCapture ? record : Buffer.from(stringifyJson(record));
  const header = Buffer.alloc(frameHeaderBytes);
  header.writeUInt32LE(body.byteLength, 0);
  header.writeUInt8(isCapture ? frameKinds.capture : frameKinds.session, 8);
  header.writeUInt32LE(checksum(header, body), 4);
  return [header, body];
}

/** Reads the frame of an event. */
export function decodeEvent(body: Buffer): LoggedSession {
  return parseJson(body.toString()) as unknown as LoggedSession;
}

/** The frame at an offset; undefined if it is torn, altered or not there. */
export function frameAt(bytes: Buffer, offset: number): Frame | undefined {
  if (offset + frameHeaderBytes > bytes.byteLength) return undefined;
  const bodyBytes = bytes.readUInt32LE(offset);
  const bodyStart = offset + frameHeaderBytes;
  if (bodyBytes === 0 || bodyStart + bodyBytes > bytes.byteLength) return undefined;
  const body = bytes.subarray(bodyStart, bodyStart + bodyBytes);
  const header = bytes.subarray(offset, bodyStart);
  if (checksum(header, body) !== header.readUInt32LE(4)) return undefined;
  const kind = header.readUInt8(8);
  if (kind !== frameKinds.capture && kind !== frameKinds.session) return undefined;
  return { kind, body, offset, length: frameHeaderBytes + bodyBytes };
}

/** True if an offset holds the beginning of a frame that was never finished, rather than one that was altered. */
export function isTornAt(bytes: Buffer, offset: number): boolean {
  if (offset + frameHeaderBytes > bytes.byteLength) return true;
  const bodyBytes = bytes.readUInt32LE(offset);
  // After a power failure a file may end in zeros.
  return bodyBytes === 0 || offset + frameHeaderBytes + bodyBytes > bytes.byteLength;
}

/** Covers the length and the kind as well, so that no flipped bit makes another frame of it. */
function checksum(header: Buffer, body: Buffer): number {
  return crc32(body, crc32(header.subarray(8, 9), crc32(header.subarray(0, 4))));
}

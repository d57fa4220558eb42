const lf = 0x0a;
const cr = 0x0d;
const dataName = Buffer.from('data');
const byteOrderMark = Buffer.from('\ufeff');

/** Where the data of an event is: a place for each of its `data` lines. */
export interface SseData {
  /** Starts and ends of the lines' values, alternating. */
  places: readonly number[];
}

/** Finds the data of one event, which may have a byte order mark before it. undefined where it has none: a comment. */
export function findSseData(bytes: Buffer, from: number, to: number): SseData | undefined {
  const places: number[] = [];
  const isMarked =
    bytes[from] === 0xef && byteOrderMark.compare(bytes, from, from + byteOrderMark.length) === 0;
  for (let at = isMarked ? from + byteOrderMark.length : from; at < to;) {
    const lineEnd = endOfLine(bytes, at, to);
    const next = nextLine(bytes, lineEnd, to);
    const value = dataStart(bytes, at, lineEnd);
    if (value !== -1) places.push(value, lineEnd);
    at = next;
  }
  return places.length === 0 ? undefined : { places };
}

/** The data as a reader of events gets it: its lines joined by `\n`. */
export function joinSseData(bytes: Buffer, data: SseData): Buffer {
  const parts: Buffer[] = [];
  for (let index = 0; index < data.places.length; index += 2) {
    if (index > 0) parts.push(Buffer.from('\n'));
    parts.push(bytes.subarray(data.places[index], data.places[index + 1]));
  }
  return Buffer.concat(parts);
}

/** Where a place in the joined data is in the event's own bytes. */
export function placeInEvent(data: SseData, at: number): number {
  let left = at;
  for (let index = 0; index < data.places.length; index += 2) {
    const [start, end] = data.places.slice(index, index + 2) as [number, number];
    if (left <= end - start) return start + left;
    left -= end - start + 1;
  }
  return data.places.at(-1) as number;
}

function endOfLine(bytes: Buffer, from: number, to: number): number {
  const found = bytes.indexOf(lf, from);
  const newline = found === -1 || found > to ? to : found;
  // A return within the line ends it too; data has none of its own.
  const back = bytes.subarray(from, newline).indexOf(cr);
  return back === -1 ? newline : from + back;
}

function nextLine(bytes: Buffer, lineEnd: number, to: number): number {
  if (lineEnd >= to) return to;
  return bytes[lineEnd] === cr && lineEnd + 1 < to && bytes[lineEnd + 1] === lf ? lineEnd + 2 : lineEnd + 1;
}

function dataStart(bytes: Buffer, from: number, lineEnd: number): number {
  const colon = from + dataName.length;
  if (lineEnd < colon || dataName.compare(bytes, from, colon) !== 0) return -1;
  // "data" without a colon is a line with no value.
  if (lineEnd === colon) return colon;
  if (bytes[colon] !== 0x3a) return -1;
  return bytes[colon + 1] === 0x20 && colon + 1 < lineEnd ? colon + 2 : colon + 1;
}

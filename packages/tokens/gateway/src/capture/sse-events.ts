/** Collects pieces of other buffers; what lies side by side in one of them stays one piece. */
export class ByteOutput {
  readonly #parts: Buffer[] = [];
  #bytes: Buffer | undefined;
  #start = 0;
  #end = 0;

  add(bytes: Buffer, start = 0, end: number = bytes.length): void {
    if (start === end) return;
    if (this.#bytes === bytes && this.#end === start) {
      this.#end = end;
      return;
    }
    this.#flush();
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
  }

  /** All of it; not a copy where it is a run of one buffer. */
  take(): Buffer {
    this.#flush();
    const [only] = this.#parts;
    const all = this.#parts.length === 1 && only !== undefined ? only : Buffer.concat(this.#parts);
    this.#parts.length = 0;
    return all;
  }

  #flush(): void {
    if (this.#bytes === undefined) return;
    const isWhole = this.#start === 0 && this.#end === this.#bytes.length;
    this.#parts.push(isWhole ? this.#bytes : this.#bytes.subarray(this.#start, this.#end));
    this.#bytes = undefined;
  }
}

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
  const back = bytes.indexOf(cr, from);
  return back === -1 || back > newline ? newline : back;
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

/** Called with each event: from `start` to before `end`. */
type OnSseEvent = (bytes: Buffer, start: number, end: number, isLineEnd: boolean) => void;

/**
 * Cuts a stream of bytes into server-sent events at their blank lines, whatever the pieces are in which it arrives. Bytes are
 * copied only where an event is split between two pieces. Lines may end in `\n`, `\r\n` or `\r`
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream).
 */
export class SseFramer {
  // What has come of an event that is not complete; grows by doubling, so that a long one is not copied for each piece.
  #pending = Buffer.alloc(0);
  #pendingLength = 0;
  // Up to where `#pending` is known to hold no end of an event.
  #searched = 0;
  // An event ended in "\r"; a "\n" that follows is still of that line end.
  #mayOweLf = false;

  /**
   * Takes the next piece and calls back for each event that it completes, blank line included.
   * @param onEvent gets the event's place, and whether it is no event but a late line end of the last one
   */
  push(piece: Buffer, onEvent: OnSseEvent): void {
    let from = 0;
    if (this.#mayOweLf && piece.length > 0) {
      this.#mayOweLf = false;
      if (piece[0] === lf) {
        onEvent(piece, 0, 1, true);
        from = 1;
      }
    }
    if (this.#pendingLength === 0) {
      const rest = this.#events(piece, from, from, piece.length, onEvent);
      this.#keep(piece, rest, piece.length);
      return;
    }
    this.#keep(piece, from, piece.length);
    const bytes = this.#pending;
    const length = this.#pendingLength;
    const rest = this.#events(bytes, 0, this.#searched, length, onEvent);
    if (rest === 0) {
      // The last three bytes may be the beginning of a blank line.
      this.#searched = Math.max(0, length - 3);
      return;
    }
    // A separate buffer: the receiver of the events may still hold on to the old one.
    this.#pending = Buffer.from(bytes.subarray(rest, length));
    this.#pendingLength = length - rest;
    this.#searched = 0;
  }

  /**
   * The rest of an event that was cut off by the end of the stream; empty where the stream ended between two events.
   */
  finish(): Buffer {
    const rest = this.#pending.subarray(0, this.#pendingLength);
    this.#pendingLength = 0;
    return rest;
  }

  #events(bytes: Buffer, first: number, searchFrom: number, length: number, onEvent: OnSseEvent): number {
    let start = first;
    let search = searchFrom;
    const firstReturn = bytes.indexOf(cr, searchFrom);
    const hasReturns = firstReturn !== -1 && firstReturn < length;
    for (;;) {
      const end = hasReturns
        ? endWithReturns(bytes, start, search, length)
        : endOfLines(bytes, start, search, length);
      if (end === -1) return start;
      if (end === length && bytes[end - 1] === cr) this.#mayOweLf = true;
      onEvent(bytes, start, end, false);
      start = end;
      search = end;
    }
  }

  #keep(piece: Buffer, from: number, to: number): void {
    const needed = this.#pendingLength + (to - from);
    if (needed > this.#pending.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#pending.length * 2));
      this.#pending.copy(larger, 0, 0, this.#pendingLength);
      this.#pending = larger;
    }
    if (this.#pendingLength === 0) this.#searched = 0;
    piece.copy(this.#pending, this.#pendingLength, from, to);
    this.#pendingLength = needed;
  }
}

// Where every line ends in "\n": two of them are the end, or one that the event begins with.
function endOfLines(bytes: Buffer, start: number, search: number, length: number): number {
  if (search === start && start < length && bytes[start] === lf) return start + 1;
  let at = search;
  for (;;) {
    const end = bytes.indexOf(lf, at);
    if (end === -1 || end + 1 >= length) return -1;
    if (bytes[end + 1] === lf) return end + 2;
    at = end + 1;
  }
}

function endWithReturns(bytes: Buffer, start: number, search: number, length: number): number {
  let isLineEmpty = search === start;
  for (let at = search; at < length; at += 1) {
    const byte = bytes[at];
    if (byte !== lf && byte !== cr) {
      isLineEmpty = false;
      continue;
    }
    if (byte === cr && bytes[at + 1] === lf && at + 1 < length) at += 1;
    if (isLineEmpty) return at + 1;
    isLineEmpty = true;
  }
  return -1;
}

/** Takes the data out of server-sent events whose end has come; several data lines of an event are one text. */
export class SseDataLines {
  readonly #framer = new SseFramer();

  push(bytes: Uint8Array): string[] {
    const found: string[] = [];
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#framer.push(piece, (event, start, end) => {
      const data = findSseData(event, start, end);
      if (data !== undefined) found.push(joinSseData(event, data).toString());
    });
    return found;
  }
}

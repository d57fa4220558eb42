import { findSseData, joinSseData } from '../capture/sse-event.ts';
import { SseFramer } from '../capture/sse-framer.ts';

const byteOrderMark = Buffer.from('\ufeff');

/** Takes the data out of server-sent events whose end has come; several data lines of an event are one text. */
export class SseDataLines {
  readonly #framer = new SseFramer();
  #isFirst = true;

  push(bytes: Uint8Array): string[] {
    const found: string[] = [];
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#framer.push(piece, (event, start, end) => {
      const isMarked = this.#isFirst && event.subarray(start, end).indexOf(byteOrderMark) === 0;
      this.#isFirst = false;
      const data = findSseData(event, isMarked ? start + byteOrderMark.length : start, end);
      if (data !== undefined) found.push(joinSseData(event, data).toString());
    });
    return found;
  }
}

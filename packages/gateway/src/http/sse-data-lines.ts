import { findSseData, joinSseData, SseFramer } from '../capture/sse-events.ts';

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

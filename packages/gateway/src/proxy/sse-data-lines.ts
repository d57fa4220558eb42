/** Takes the data out of server-sent events whose end has come; several data lines of an event are one text. */
export class SseDataLines {
  readonly #decoder = new TextDecoder();
  #pending = '';

  push(bytes: Uint8Array): string[] {
    const text = this.#pending + this.#decoder.decode(bytes, { stream: true });
    const events = text.split(/\r\n\r\n|\n\n|\r\r/);
    this.#pending = events.pop() ?? '';
    return events.flatMap((event) => {
      const lines = event.split(/\r\n|\n|\r/).filter((line) => line.startsWith('data:'));
      if (lines.length === 0) return [];
      return [lines.map((line) => line.slice(line.startsWith('data: ') ? 6 : 5)).join('\n')];
    });
  }
}

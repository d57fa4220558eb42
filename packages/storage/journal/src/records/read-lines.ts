/**
 * Cuts text that comes in pieces into lines, portion by portion. What follows the last line end is left out: it is what a
 * writer had not finished when it died, so nobody was told that it was written.
 */
export async function* readLines(pieces: AsyncIterable<string>): AsyncGenerator<string[], void, undefined> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) yield lines;
  }
}

/** Where the first of these marks begins in a text; undefined where none does. */
export function firstOf(marks: readonly string[], text: string): number | undefined {
  const places = marks.map((mark) => text.indexOf(mark)).filter((at) => at >= 0);
  return places.length === 0 ? undefined : Math.min(...places);
}

/** How much of the end of a text may be the beginning of one of these marks. */
export function begunLength(text: string, marks: readonly string[]): number {
  let begun = 0;
  for (const mark of marks) {
    for (let length = Math.min(mark.length - 1, text.length); length > begun; length -= 1) {
      if (text.endsWith(mark.slice(0, length))) begun = length;
    }
  }
  return begun;
}

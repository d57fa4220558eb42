/** Where the first of these marks begins in a text; undefined where none does. */
export function firstOf(marks: readonly string[], text: string): number | undefined {
  const places = marks.map((mark) => text.indexOf(mark)).filter((at) => at >= 0);
  return places.length === 0 ? undefined : Math.min(...places);
}

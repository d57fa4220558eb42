/** Characters that take two columns, surrogate pairs among them. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\ud800-\udfff]/;

/** A long text as lines of at most so many columns; a line is cut out only when it is asked for. */
export interface TextLines {
  count: number;
  /** @param at From 0. */
  line(at: number): { text: string; number: number; isContinued: boolean };
  /** Which of them has the character at an offset. */
  lineOf(offset: number): number;
}

/** @param columns How many columns of a fixed-width font there is room for. */
export function textLines(text: string, columns: number): TextLines {
  const starts = lineStarts(text);
  const firsts = new Uint32Array(starts.length + 1);
  const widths = new Uint32Array(starts.length);
  const isPlain = !wide.test(text);
  for (let number = 0; number < starts.length; number += 1) {
    const start = starts[number]!;
    const length = endOf(text, starts, number) - start;
    // Whatever is in a line, none of its code units takes more than two columns.
    const isWide = !isPlain && length * 2 > columns && wide.test(text.slice(start, start + length));
    const width = Math.max(1, isWide ? columns >> 1 : columns);
    widths[number] = width;
    firsts[number + 1] = firsts[number]! + Math.max(1, Math.ceil(length / width));
  }
  return {
    count: firsts[starts.length]!,
    lineOf(offset) {
      const number = lastNotAfter(starts, offset, starts.length - 1);
      return firsts[number]! + Math.floor((offset - starts[number]!) / widths[number]!);
    },
    line(at) {
      const number = lastNotAfter(firsts, at, starts.length - 1);
      const width = widths[number]!;
      const end = endOf(text, starts, number);
      const from = starts[number]! + (at - firsts[number]!) * width;
      const to = Math.min(end, from + width);
      return {
        text: text.slice(from + splitsPair(text, from), to + splitsPair(text, to)),
        number: number + 1,
        isContinued: at > firsts[number]!,
      };
    },
  };
}

function lineStarts(text: string): Uint32Array {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  const starts = new Uint32Array(count);
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts[line++] = at + 1;
  return starts;
}

function endOf(text: string, starts: Uint32Array, number: number): number {
  const next = starts[number + 1];
  return next === undefined ? text.length : next - 1;
}

/** 1 where a cut at `at` would go through a character. */
function splitsPair(text: string, at: number): 0 | 1 {
  if (at === 0 || at >= text.length) return 0;
  const before = text.charCodeAt(at - 1);
  const behind = text.charCodeAt(at);
  const splits = before >= 0xd800 && before <= 0xdbff && behind >= 0xdc00 && behind <= 0xdfff;
  return splits ? 1 : 0;
}

/** @param last The last position that is one. */
function lastNotAfter(firsts: Uint32Array, at: number, last: number): number {
  let low = 0;
  let high = last;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (firsts[middle]! <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

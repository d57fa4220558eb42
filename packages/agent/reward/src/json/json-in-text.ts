import { withoutThinking } from '../without-thinking.ts';

/** JSON that stands in a text. */
export interface JsonInText {
  source: string;
  value: unknown;
}

interface Found {
  start: number;
  end: number;
  isNested: boolean;
}

/** A failed string is read once more from within, as its quote may have been one of prose. Altogether no more than this per character. */
const mostStepsPerCharacter = 16;

/**
 * The JSON that a text says: the whole text, else the last complete object or list in it. Whole ones count before those in one that is not
 * complete; what stands in inline code, in a quotation or behind "for example" counts only where there is no other. Undefined where there is none.
 */
export function jsonInText(text: string): JsonInText | undefined {
  const whole = parsed(text);
  if (whole !== undefined) return whole;
  const said = withoutThinking(text);
  if (said !== text) return jsonInText(said);
  const found = valuesIn(text);
  const isExample = examplesIn(text);
  const order = [
    (each: Found) => !each.isNested && !isExample(each),
    (each: Found) => !each.isNested,
    (each: Found) => !isExample(each),
    () => true,
  ];
  for (const counts of order) {
    const last = found.findLast(counts);
    if (last !== undefined) return parsed(text.slice(last.start, last.end));
  }
  return undefined;
}

/** All complete objects and lists in a text that stand in no other complete one, and where each ends. */
export function jsonValuesIn(text: string): { value: unknown; end: number }[] {
  return valuesIn(text).flatMap(({ start, end }) => {
    const found = parsed(text.slice(start, end));
    return found === undefined ? [] : [{ value: found.value, end }];
  });
}

function parsed(source: string): JsonInText | undefined {
  try {
    return { source, value: JSON.parse(source) as unknown };
  } catch {
    return undefined;
  }
}

const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;

/** An object or a list that is not closed yet, and what may come next in it. */
interface Open {
  start: number;
  isObject: boolean;
  next: 'key' | 'first key' | 'colon' | 'value' | 'first value' | 'comma';
}

/** One pass over the text with the values that are open. Where one breaks, all of them do, and what was complete in them stays. */
function valuesIn(text: string): Found[] {
  const found: Found[] = [];
  let open: Open[] = [];
  let steps = mostStepsPerCharacter * text.length;
  let readAgain = -1;
  let lastString: { start: number; hasBracket: boolean } | undefined;
  for (let at = 0; at < text.length;) {
    const character = text[at]!;
    const top = open.at(-1);
    steps -= 1;
    if (top === undefined) {
      lastString = undefined;
      if (character === '{') open.push({ start: at, isObject: true, next: 'first key' });
      else if (character === '[') open.push({ start: at, isObject: false, next: 'first value' });
      at += 1;
      continue;
    }
    if (/[ \t\r\n]/.test(character)) {
      at += 1;
      continue;
    }
    const end = endOfToken(text, at, character, top, open);
    if (end === undefined) {
      open = [];
      const again = lastString;
      if (again?.hasBracket === true && again.start > readAgain && steps > 0) {
        readAgain = again.start;
        at = again.start + 1;
      } else if (character === '"') at += 1;
      continue;
    }
    steps -= end - at;
    if (character === '"') lastString = { start: at, hasBracket: /[{[]/.test(text.slice(at, end)) };
    if (open.at(-1) !== top && (character === '}' || character === ']')) {
      while (found.length > 0 && found.at(-1)!.start > top.start) found.pop();
      found.push({ start: top.start, end, isNested: open.length > 0 });
    }
    at = end;
  }
  return found;
}

/** Reads one token into the open values; undefined where it does not fit. */
function endOfToken(
  text: string,
  at: number,
  character: string,
  top: Open,
  open: Open[],
): number | undefined {
  const isFirst = top.next === 'first key' || top.next === 'first value';
  if (character === (top.isObject ? '}' : ']') && (isFirst || top.next === 'comma')) {
    open.pop();
    return at + 1;
  }
  if (top.next === 'comma' || top.next === 'colon') {
    if (character !== (top.next === 'comma' ? ',' : ':')) return undefined;
    top.next = top.next === 'colon' || !top.isObject ? 'value' : 'key';
    return at + 1;
  }
  if (character === '"') {
    const end = endOfString(text, at);
    top.next = top.next === 'key' || top.next === 'first key' ? 'colon' : 'comma';
    return end;
  }
  if (top.next === 'key' || top.next === 'first key') return undefined;
  top.next = 'comma';
  if (character === '{' || character === '[') {
    open.push({
      start: at,
      isObject: character === '{',
      next: character === '{' ? 'first key' : 'first value',
    });
    return at + 1;
  }
  scalar.lastIndex = at;
  return scalar.test(text) ? scalar.lastIndex : undefined;
}

function endOfString(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length && text[at]! >= ' '; at += 1) {
    if (text[at] === '"') return at + 1;
    if (text[at] === '\\') at += 1;
  }
  return undefined;
}

const introduction =
  /\b(?:for example|for instance|example|e\.g\.|such as|instead of|rather than|looks like|format|schema)[^\p{L}\d]*$/iu;

/** Places in inline code, in quotations, in a block that words introduce as an example, and behind such words. */
function examplesIn(text: string): (value: Found) => boolean {
  const spans: [start: number, end: number][] = [];
  let [from, said] = [0, ''];
  let fence: { start: number; isExample: boolean } | undefined;
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    if (/^(?:```|~~~)/.test(trimmed)) {
      if (fence?.isExample === true) spans.push([fence.start, from]);
      fence = fence === undefined ? { start: from, isExample: introduction.test(said) } : undefined;
    } else if (fence === undefined && trimmed.startsWith('>')) spans.push([from, from + line.length]);
    else if (fence === undefined)
      for (const { index, 0: code } of line.matchAll(/`[^`]+`/g))
        spans.push([from + index, from + index + code.length]);
    if (trimmed !== '') said = trimmed;
    from += line.length + 1;
  }
  return ({ start, end }) => {
    const before = text.slice(Math.max(0, start - 60), start);
    const isQuoted = /["'“‘«]$/.test(before) && /^["'”’»]/.test(text.slice(end, end + 1));
    return (
      isQuoted || isWithin(spans, start) || introduction.test(before.slice(before.lastIndexOf('\n') + 1))
    );
  };
}

/** @param spans in their order, apart from each other */
function isWithin(spans: readonly (readonly [start: number, end: number])[], at: number): boolean {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle]![1] <= at) low = middle + 1;
    else high = middle;
  }
  return low < spans.length && spans[low]![0] <= at;
}

import { withoutEnd } from '../without-end.ts';
import { signBefore } from './answer-head.ts';
import { changesAnswer, endOfSentence, takesBack } from './answer-tail.ts';
import { isUnitText } from './units.ts';

/** Longest answer without braces. */
const longestBare = 100;

export interface Box {
  index: number;
  end: number;
  inner: string;
}

/** Text that may stand between boxes that are one answer: `\boxed{1}, \boxed{2} and \boxed{3}`. */
const between = /^(?:[\s$,;.]|\\[()[\],; ]|\\q?quad|and|or|\\text\{\s?(?:and|or)\s?\})*$/;
const bareBox =
  /^\s(-?(?:\\\$|\$)?[\d.,/]*\d|[A-Za-z](?![A-Za-z])|\\(?:frac\{[^{}]*\}\{[^{}]*\}|sqrt\{[^{}]*\}|pi))/;

/** All boxes of a text with an end, `\boxed 12` too. */
export function boxesIn(text: string): Box[] {
  const boxes: Box[] = [];
  for (const { index, 0: command } of text.matchAll(/\\(?:boxed|fbox|box)(?![a-zA-Z])/g)) {
    const from = index + command.length;
    const open = text[from] === '{' ? from : text.startsWith(' {', from) ? from + 1 : undefined;
    if (open === undefined) {
      const [bare, inner] = bareBox.exec(text.slice(from, from + longestBare)) ?? [];
      if (inner !== undefined) boxes.push({ index, end: from + bare!.length, inner });
    } else {
      const end = endOfGroup(text, open + 1);
      if (end !== undefined) boxes.push({ index, end: end + 1, inner: text.slice(open + 1, end) });
    }
  }
  return boxes;
}

/** The contents of the last box, or of the last ones in a row; undefined where the words around it deny it or make another answer of it. */
export function lastBoxed(text: string, boxes: readonly Box[]): string | undefined {
  const answers: Box[] = [];
  for (const box of boxes.toReversed()) {
    const next = answers[0];
    if (next !== undefined && !between.test(text.slice(box.end, next.index))) break;
    answers.unshift(box);
  }
  const [first, last] = [answers[0]!, answers.at(-1)!];
  const before = signBefore(text.slice(text.lastIndexOf('\n', first.index) + 1, first.index));
  const unit = unitBehind(
    text.slice(last.end),
    last.inner.trim() !== '' && /\\(?:text|mathrm)\s?\{|[\d\s]\p{L}{2}/u.test(last.inner),
  );
  if (before === undefined || unit === undefined) return undefined;
  // The same box twice is one answer, and none of two.
  const inner = [...new Set(answers.map((box) => box.inner.trim()))].join(', ');
  return before + inner + unit;
}

/** Text that may follow an answer in its mathematics: blanks, the end of the mathematics, words. */
const mayFollow =
  /^\\(?:[)\],;:! ]|%|\\|(?:text|mathrm|mbox|quad|qquad|blacksquare|square|qed|end|implies|Rightarrow|therefore|cdotp|degree)(?![a-zA-Z]))/;

/** The unit right behind a box, or nothing; undefined where what stands behind it makes another answer of it or takes it back. */
function unitBehind(rest: string, hasUnit: boolean): string | undefined {
  if (/^(?:[.,]?\d|[_^{([]|!\s?(?:\$|\\[)\]]))/.test(rest)) return undefined;
  const behind = rest.trimStart();
  if (behind.startsWith('\\') && !mayFollow.test(behind)) return undefined;
  const words = /^[^\n]*/
    .exec(rest)![0]
    .replace(/^[\s$*_})]+/, '')
    .replace(/^\\[)\],;]/, ' ')
    .replaceAll(/\\(?:text|mathrm)\s?\{\s?|^\s?\(/g, '')
    .trimStart();
  if (words.startsWith('?')) return undefined;
  if (/^[.,;:!]/.test(words)) return takesBack(rest.replace(/^[\s$*_.,;:!})]+/, '')) ? undefined : '';
  const sentence = words.slice(0, endOfSentence(words)).trim();
  if (changesAnswer(sentence) || takesBack(rest.trimStart()) || /^\d/.test(sentence)) return undefined;
  const unit = unitAt(sentence);
  if (unit === undefined) return /^\p{L}/u.test(rest) ? undefined : '';
  return hasUnit ? undefined : ` ${unit}`;
}

/** The longest unit that a sentence begins with: `cm` of `cm in length`. */
function unitAt(sentence: string): string | undefined {
  const words = sentence.split(/[\s$*_]+/).slice(0, 5);
  for (let count = words.length; count > 0; count -= 1) {
    const unit = withoutEnd(words.slice(0, count).join(' '), '}),');
    if (isUnitText(unit)) return unit;
  }
  return undefined;
}

function endOfGroup(text: string, start: number): number | undefined {
  let depth = 1;
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === '{') depth += 1;
    else if (text[index] === '}') depth -= 1;
    if (depth === 0) return index;
  }
  return undefined;
}

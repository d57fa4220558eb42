import { withoutEnd } from '../without-end.ts';
import { withoutThinking } from '../without-thinking.ts';
import { changes, endOfSentence, takesBack, withoutTail } from './answer-tail.ts';
import { isUnitText } from './units.ts';

/** Only the end of a long answer is looked at, as the answer stands there. */
const searchedCharacters = 4_000;
const longestAnswer = 300;

/**
 * The final answer of a solution: the last `\boxed{...}` (boxes in a row are one list), else what follows the last `####` or "answer is", else the
 * text itself where it is one short line, or its last line where that is set apart. Markdown around it, sentences and reasons behind it, and
 * everything that was only thought do not count. Undefined where there is none, or where the words around take it back.
 */
export function extractMathsAnswer(text: string): string | undefined {
  const said = withoutThinking(text).slice(-searchedCharacters);
  const boxed = boxesIn(said);
  const answer = (boxed.length > 0 ? lastBoxed(said, boxed) : (lastMarked(said) ?? onlyLine(said)))?.trim();
  return answer === undefined || answer === '' || answer.length > longestAnswer ? undefined : answer;
}

interface Box {
  index: number;
  end: number;
  inner: string;
}

/** What may stand between boxes that are one answer: `\boxed{1}, \boxed{2} and \boxed{3}`. */
const between = /^(?:[\s$,;.]|\\[()[\],; ]|\\q?quad|and|or|\\text\{\s?(?:and|or)\s?\})*$/;
const bareBox =
  /^\s(-?(?:\\\$|\$)?[\d.,/]*\d|[A-Za-z](?![A-Za-z])|\\(?:frac\{[^{}]*\}\{[^{}]*\}|sqrt\{[^{}]*\}|pi))/;

function boxesIn(text: string): Box[] {
  const boxes: Box[] = [];
  for (const { index, 0: command } of text.matchAll(/\\(?:boxed|fbox|box)(?![a-zA-Z])/g)) {
    const from = index + command.length;
    const open = text[from] === '{' ? from : text.startsWith(' {', from) ? from + 1 : undefined;
    if (open === undefined) {
      const [bare, inner] = bareBox.exec(text.slice(from, from + longestAnswer)) ?? [];
      if (inner !== undefined) boxes.push({ index, end: from + bare!.length, inner });
    } else {
      const end = endOfGroup(text, open + 1);
      if (end !== undefined) boxes.push({ index, end: end + 1, inner: text.slice(open + 1, end) });
    }
  }
  return boxes;
}

function lastBoxed(text: string, boxes: readonly Box[]): string | undefined {
  const answers: Box[] = [];
  for (const box of boxes.toReversed()) {
    const next = answers[0];
    if (next !== undefined && !between.test(text.slice(box.end, next.index))) break;
    answers.unshift(box);
  }
  const [first, last] = [answers[0]!, answers.at(-1)!];
  const before = signBefore(text.slice(text.lastIndexOf('\n', first.index) + 1, first.index));
  const unit = unitBehind(text.slice(last.end));
  if (before === undefined || unit === undefined) return undefined;
  // The same box twice is one answer, and none of two.
  const inner = [...new Set(answers.map((box) => box.inner.trim()))].join(', ');
  return before + inner + unit;
}

/** What belongs to a box and stands before it; undefined where it denies the box or makes a bound of it. */
function signBefore(line: string): string | undefined {
  const before = withoutEnd(line, ' \t{(*_');
  const plain = withoutEnd(before, '$ ');
  if (
    /(?:\b(?:not|never|than|least|most|under|over|below|above|doubt|except)|n['’]t(?: be)?|[<>≤≥≠]|\\(?:neq?|leq?|geq?|lt|gt))$/i.test(
      plain,
    )
  )
    return undefined;
  if (/\\\$$/.test(before)) return String.raw`\$`;
  return /(?:^|[=\s$:,(])[-−]$/.test(plain) && plain.length === withoutEnd(line, '$').length
    ? '-'
    : (/[€£¥₹]$/.exec(plain)?.[0] ?? '');
}

/** The unit right behind a box, or nothing; undefined where the words behind it take it back. */
function unitBehind(rest: string): string | undefined {
  const words = /^[^\n]*/
    .exec(rest)![0]
    .replace(/^[\s$*_})]+/, '')
    .replace(/^\\[)\],;]/, ' ')
    .replaceAll(/\\(?:text|mathrm)\s?\{\s?|^\s?\(/g, '')
    .trimStart();
  const sentence = words.slice(0, endOfSentence(words)).trim();
  if (/^[.,;:!]/.test(words)) return takesBack(rest.replace(/^[\s$*_.,;:!})]+/, '')) ? undefined : '';
  if (changes(sentence) || takesBack(rest.trimStart())) return undefined;
  const unit = withoutEnd(sentence, '$*_ ');
  return unit !== '' && isUnitText(unit) ? ` ${unit}` : '';
}

const label =
  /^s?[*_`"')\]]{0,4}(?:\s(?:to|of|for|in)\s[^:=?!\n]{1,60}?)?\s?(?:\b(?:is|are|equals|(?:would|will|should|must) be)\b|:|=|→)/i;
const denial =
  /\b(?:not|doubt|false|wrong|incorrect|never|nobody|unlikely|hardly|if|say|says|said)\b|n['’]t\b/i;
const heading = /^[\s#>*_]*(?:the\s)?(?:final\s)?answer[\s:*_]*$/i;
const noAnswer =
  /^[\s*_]*(?:step|case|part|solution|explanation|conclusion|verification|final|the\s|answer)|:$/i;

/** What follows the last mark of an answer; undefined where there is no mark. */
function lastMarked(text: string): string | undefined {
  const lines = text.split('\n');
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at]!;
    const hashes = line.lastIndexOf('####');
    const behind = hashes === -1 ? '' : line.slice(hashes).replace(/^#+/, '').trim();
    if (behind !== '' && !noAnswer.test(behind)) return region(behind, lines.slice(at + 1));
    const next = lines.slice(at + 1).findIndex((later) => !/^[\s$]*(?:\\\[)?$/.test(later.trimEnd()));
    if (heading.test(line) && next !== -1) return region(lines[at + 1 + next]!, lines.slice(at + 2 + next));
    const said = behindLabel(line);
    if (said === 'denied') return '';
    if (said !== undefined) return region(said, lines.slice(at + 1));
  }
  return undefined;
}

function behindLabel(line: string): string | undefined {
  const labels = [...line.matchAll(/\b(?:answer|final (?:result|value))/gi)];
  for (const { index, 0: word } of labels.toReversed()) {
    const rest = line.slice(index + word.length);
    const found = label.exec(rest)?.[0];
    if (found === undefined || rest.slice(found.length).trim() === '') continue;
    const before = line.slice(
      Math.max(line.lastIndexOf('. ', index), line.lastIndexOf('; ', index), 0),
      index,
    );
    return denial.test(before) ? 'denied' : rest.slice(found.length);
  }
  // `So 42 is the answer.`
  const [, before] =
    /^(.{1,200}?)\s(?:is|must be) (?:the|our|my) (?:(?:final|right|correct) )?answer[.!*_\s]*$/i.exec(line) ??
    [];
  return before?.replace(/^(?:so|thus|hence|therefore|then)\b[\s,]*/i, '');
}

function region(behind: string, later: readonly string[]): string {
  if (takesBack(later.join('\n').trimStart())) return '';
  return tidied(behind) ?? '';
}

/** The text itself where it is one line, or its last line where marks set it apart: `**73**`, `$73$`. */
function onlyLine(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const last = lines.at(-1)?.trim();
  if (last === undefined || last.length > longestAnswer || /\\(?:boxed|fbox|box)(?![a-zA-Z])/.test(last))
    return undefined;
  return lines.length === 1 ||
    /^(?:\*\*[^*]+\*\*|\$[^$]+\$|\$\$[^$]+\$\$|\\\[.*\\\]|\\\(.*\\\))[.!]?$/.test(last)
    ? tidied(last)
    : undefined;
}

/** Without marks of emphasis, a sign of equality before and sentences behind. */
function tidied(region: string): string | undefined {
  let answer: string | undefined = region;
  for (let round = 0; round < 3 && answer !== undefined; round += 1) {
    answer = withoutEmphasis(answer.trim().replace(/^[:=>\s]+/, ''));
    answer = withoutTail(
      answer.replace(/^(?:exactly|simply|just|equal to|equals|approximately|therefore|thus)\b[\s,:]*/i, ''),
    );
  }
  return answer?.replace(/\p{Extended_Pictographic}\uFE0F?$/u, '').trim();
}

function withoutEmphasis(text: string): string {
  const mark = ['**', '__', '*', '_', '`', '"'].find((each) => text.startsWith(each));
  if (mark !== undefined) {
    const end = text.indexOf(mark, mark.length);
    return end === -1
      ? text.slice(mark.length)
      : text.slice(mark.length, end) + text.slice(end + mark.length);
  }
  const closing = ['**', '__', '`', '*', '_'].find((each) => text.endsWith(each));
  return closing !== undefined && text.indexOf(closing) === text.length - closing.length
    ? text.slice(0, -closing.length)
    : text;
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

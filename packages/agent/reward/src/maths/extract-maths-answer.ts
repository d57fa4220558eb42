import { minusSigns } from '../minus-signs.ts';
import { withoutThinking } from '../without-thinking.ts';
import { signBefore } from './answer-head.ts';
import { takesBack, withoutTail } from './answer-tail.ts';
import { boxesIn, lastBoxed } from './boxed-answer.ts';

/** Only the end of a long answer is looked at, as the answer stands there. */
const searchedCharacters = 4_000;
const longestAnswer = 300;

/**
 * The final answer of a solution: the last `\boxed{...}` (boxes in a row are one list), else what follows the last `####` or "answer is", else the
 * text itself where it is one short line, or its last line where that is set apart. Markdown around it, sentences and reasons behind it, and
 * everything that was only thought do not count. Undefined where there is none, or where the words around take it back.
 */
export function extractMathsAnswer(text: string): string | undefined {
  // What stands in a quotation of Markdown is said as well, and what is struck out is not.
  const said = withoutThinking(text)
    .slice(-searchedCharacters)
    .replaceAll(/^ {0,3}> |~~[^~\n]*~~/gm, '')
    .replaceAll(minusSigns, '-');
  const boxed = boxesIn(said);
  const answer = (boxed.length > 0 ? lastBoxed(said, boxed) : (lastMarked(said) ?? onlyLine(said)))?.trim();
  return answer === undefined || answer === '' || answer.length > longestAnswer ? undefined : answer;
}

const label =
  /^s?[*_`"')\]]{0,4}(?:\s(?:to|of|for|in)\s[^:=?!\n]{1,60}?)?\s?(?:\b(?:is|are|equals|(?:would|will|should|must) be)\b|:|=|→)/i;
const denial =
  /\b(?:not|doubt|false|wrong|incorrect|never|nobody|unlikely|hardly|if|say|says|said)\b|n['’]t\b/i;
const heading = /^[\s#>*_]*(?:the\s)?(?:final\s)?answer[\s:*_]*(?:\$\$|\\\[)?$/i;
const noAnswer =
  /^[\s*_]*(?:step|case|part|solution|explanation|conclusion|verification|final|the\s|answer)|:$/i;

/** The text behind the last mark of an answer; undefined where there is no mark. */
function lastMarked(text: string): string | undefined {
  const lines = text.split('\n');
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at]!;
    const hashes = line.lastIndexOf('####');
    const behind = hashes === -1 ? '' : line.slice(hashes).replace(/^#+/, '').trim();
    if (behind !== '' && !noAnswer.test(behind)) return region(behind, lines.slice(at + 1));
    const said = heading.test(line.trimEnd()) ? '' : behindLabel(line);
    if (said === 'denied') return '';
    if (said === undefined) continue;
    if (said.trim() !== '') return region(said, lines.slice(at + 1));
    const later = lines.slice(at + 1);
    const next = later.findIndex((each) => !/^[\s$]*(?:\\\[)?$/.test(each.trimEnd()));
    if (next !== -1) return region(later[next]!, later.slice(next + 1));
  }
  return undefined;
}

function behindLabel(line: string): string | undefined {
  const labels = [...line.matchAll(/\b(?:answer|final (?:result|value))|^\W{0,9}result(?=\W{0,3}[:=])/gi)];
  for (const { index, 0: word } of labels.toReversed()) {
    const rest = line.slice(index + word.length);
    const found = label.exec(rest)?.[0];
    if (found === undefined) continue;
    const clause = Math.max(...['. ', '; ', ', '].map((mark) => line.lastIndexOf(mark, index)), 0);
    const before = line.slice(clause, index);
    return denial.test(before) ? 'denied' : rest.slice(found.length);
  }
  // `So 42 is the answer.`
  const [, before] =
    /^(.{1,200}?)\s(?:is|must be) (?:the|our|my) (?:(?:final|right|correct) )?(?:answer|solution)[.!*_\s]*$/i.exec(
      line,
    ) ?? [];
  return before?.replace(/^(?:so|thus|hence|therefore|then)\b[\s,]*/i, '');
}

function region(behind: string, later: readonly string[]): string {
  if (takesBack(later.join('\n').trimStart())) return '';
  return tidied(behind) ?? '';
}

/** The end of a last line that marks set apart: `**73**`, `$73$`. */
const setApart = /(?:\*\*[^*]+\*\*|\$\$[^$]+\$\$|\$[^$]+\$|\\\[[^\\]+\\\]|\\\([^\\]+\\\))[.!]?$/;

/** The text itself where it is one line, or what marks set apart at the end of its last line. */
function onlyLine(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => !/^(?:`{3,}\w*|~{3,}\w*)?$/.test(line.trim()));
  const last = lines.at(-1)?.trim();
  if (last === undefined || last.length > longestAnswer || /\\(?:boxed|fbox|box)(?![a-zA-Z])/.test(last))
    return undefined;
  const marked = setApart.exec(last);
  const before = marked === null ? '' : last.slice(0, marked.index);
  // `**$4$** and **$5$**` are two, and `$x$ = 5` is one line.
  if (marked !== null && /(?:\p{L}{2}|[:=])$/u.test(before.trimEnd()) && !/[*$]/.test(before)) {
    const sign = denial.test(before) ? undefined : signBefore(before);
    return sign === undefined ? '' : tidied(sign + marked[0]);
  }
  return lines.length === 1 || marked?.index === 0 ? tidied(last) : undefined;
}

const lead =
  /^(?:(?:exactly|simply|just|equal to|equals|approximately|therefore|thus|so|hence|then|we (?:get|have))\b|∴)[\s,:]*/i;

/** Without marks of emphasis, words that lead to it and sentences behind. */
function tidied(region: string): string | undefined {
  let answer: string | undefined = region;
  for (let round = 0; round < 3 && answer !== undefined; round += 1) {
    answer = withoutEmphasis(answer.trim().replace(/^[:=\s]+/, ''));
    answer = withoutTail(answer.replace(lead, ''));
    if (answer !== undefined) answer = withoutSubject(answer);
  }
  return answer
    ?.replace(/\p{Extended_Pictographic}\uFE0F?$/u, '')
    .replace(/^([A-J])\)$/, '$1')
    .trim();
}

/** `The largest n is 34` says 34, unless it denies that. */
function withoutSubject(text: string): string {
  const [, subject, said] = /^([A-Za-z][^=<>]{1,120}?)\s(?:is|are|equals)\s(.+)$/s.exec(text) ?? [];
  return subject === undefined || said === undefined || !/[A-Za-z]{2}/.test(subject) || denial.test(subject)
    ? text
    : said;
}

function withoutEmphasis(text: string): string {
  const mark = ['**', '__', '*', '_', '`', '"'].find((each) => text.startsWith(each));
  if (mark !== undefined) {
    const end = text.indexOf(mark, mark.length);
    return end === -1
      ? text.slice(mark.length)
      : text.slice(mark.length, end) + text.slice(end + mark.length).replace(/^!/, '.');
  }
  const closing = ['**', '__', '`', '*', '_'].find((each) => text.endsWith(each));
  return closing !== undefined && text.indexOf(closing) === text.length - closing.length
    ? text.slice(0, -closing.length)
    : text;
}

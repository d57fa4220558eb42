import { withoutEnd } from '../without-end.ts';

/** Words behind an answer that take it back. */
const retraction =
  /\b(?:(?:is|was|are|be|it's|that's|this's)\s(?:\w+\s){0,3}(?:wrong|incorrect|false|untrue|nonsense|mistaken|an? (?:mistake|error|lie|guess|joke))|(?:not|isn['’]t|wasn['’]t|cannot be|can['’]t be|never)\s(?:(?:the|my|our|an?|actually|really)\s)*(?:final\s|right\s|correct\s|true\s)*(?:answer|solution|result|correct|right|true|it|so)\b|made an? (?:mistake|error)|my (?:mistake|bad)\b|sorry|oops|kidding|joking|disregard|ignore (?:this|that|it)|scratch that|on second thought|correction:)/i;
/** A sentence that begins so continues about another answer. */
const anotherAnswer =
  /^[\s"'(*_]*(?:or|no|not(?!\s?[$\d\\])|nope|hmm|wait|actually|maybe|perhaps|rather|instead|wrong|incorrect|false)\b/i;
/** Words about an answer in its own sentence: another number, a bound or a denial. */
const change =
  /^(?:(?:is|was|are)\b\s*)?(?:not\b|n['’]t|isn['’]t|wasn['’]t|aren['’]t|never\b|wrong|incorrect|false|impossible|or\b|and\b|plus\b|minus\b|times\b|to\b|over\b|squared|cubed|[-+*/^=<>!≤≥≠]|\\(?:neq?|leq?|geq?|lt|gt|pm|cdot|times|div|cup|approx|sim|to|rightarrow|Rightarrow|mapsto)\b)/i;
const reason =
  /(?<=[\s,;(–—])(?:because|since|due to|thus|hence|therefore|given that|which|rather than|instead of|not(?= \$?\d)|as (?:required|desired|expected|needed|claimed|shown|stated|we (?:wanted|needed)))\b/i;
const flourish = /(?<=\s)(?:in total|altogether|overall|in all|exactly)$/i;
const abbreviations = /\b(?:sq|cu|approx|e\.g|i\.e|ft|in|no|vs|dr|mr|st)$/i;

/** True if words behind an answer take it back or name another one. */
export function takesBack(words: string): boolean {
  return retraction.test(words) || anotherAnswer.test(words);
}

/** True if words right behind an answer, in its own sentence, make another answer of it: `or more`, `is wrong`, `+ 1`. */
export function changesAnswer(words: string): boolean {
  return change.test(words) || takesBack(words);
}

/** Where the first sentence ends, or words begin behind a dash or a semicolon: not within a number, a factorial or an abbreviation. */
export function endOfSentence(text: string): number {
  for (const { index, 0: mark } of text.matchAll(/[.!?](?=[\s*_`"')\]]|$)|[;–—](?=\s\p{L}{2})/gu)) {
    const before = text.slice(Math.max(0, index - 12), index);
    if (mark === '.' && (before.endsWith('.') || text[index + 1] === '.')) continue;
    if (mark === '.' && abbreviations.test(before) && /^\.\s/.test(text.slice(index))) continue;
    if (mark === '!' && !/[\p{L}*]{2}$/u.test(before)) continue;
    return index;
  }
  return text.length;
}

/**
 * An answer without the sentences and the reason behind it: `73 because 70 + 3 = 73. Good.` is `73`. Undefined where they take it back, and
 * for a question. Other words behind an answer stay: they may mean something.
 */
export function withoutTail(region: string): string | undefined {
  const end = endOfSentence(region);
  const later = region.slice(end + 1);
  if (region[end] === '?' || takesBack(later.replace(/^[*_`"')\]]+/, ''))) return undefined;
  // What closes marks of emphasis or brackets behind the full stop belongs to the answer.
  const closers = /^[*_`"')\]$]*/.exec(later)?.[0] ?? '';
  const sentence = region.slice(0, end) + closers;
  const because = reason.exec(sentence);
  const isReason = because !== null && /[^\s,;(–—]/.test(sentence.slice(0, because.index));
  if (isReason && takesBack(sentence.slice(because.index))) return undefined;
  const answer = isReason ? withoutEnd(sentence.slice(0, because.index), ',;(–— \t') : sentence;
  return withoutEnd(answer.trim().replace(flourish, ''), ',; \t');
}

/** Only the end of a long answer is looked at, as the answer stands there. */
const searchedCharacters = 4_000;
const longestAnswer = 300;

/**
 * The final answer of a solution: the last `\boxed{...}` (boxes in a row are one list), else what follows the last `####`, else what follows the last "answer is", else
 * the text itself where it is one short line. Undefined where there is none.
 */
export function extractMathsAnswer(text: string): string | undefined {
  const end = text.slice(-searchedCharacters);
  const answer =
    lastBoxed(end) ??
    end.match(/####[^\S\n]*([^\n]+)(?![\s\S]*####)/)?.[1] ??
    end.match(/\banswer\s*(?:is|:|=)\s*:?\s*([^\n]+?)\.?\s*(?:\n|$)(?![\s\S]*\banswer\s*(?:is|:|=))/i)?.[1] ??
    (text.length <= longestAnswer && !/\n|\\boxed\{/.test(text.trim()) ? text : undefined);
  const trimmed = answer?.trim();
  return trimmed === undefined || trimmed === '' || trimmed.length > longestAnswer ? undefined : trimmed;
}

/** Text that may stand between boxes of one answer: `\boxed{1}, \boxed{2} and \boxed{3}`. */
const between = /^(?:[\s$,;.]|\\[()[\],; ]|\\q?quad|and|or|\\text\{\s*(?:and|or)\s*\})*$/;

function lastBoxed(text: string): string | undefined {
  const boxes = [...text.matchAll(/\\f?box(?:ed)?\s*\{/g)].flatMap(({ index, 0: { length } }) => {
    const end = endOfGroup(text, index + length);
    return end === undefined ? [] : [{ index, end, inner: text.slice(index + length, end) }];
  });
  const answers: string[] = [];
  let next: { index: number } | undefined;
  for (const box of boxes.toReversed()) {
    if (next !== undefined && !between.test(text.slice(box.end + 1, next.index))) break;
    answers.unshift(box.inner);
    next = box;
  }
  return answers.length === 0 ? undefined : answers.join(', ');
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

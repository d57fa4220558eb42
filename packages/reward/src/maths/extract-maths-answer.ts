/** Only the end of a long answer is looked at, as the answer stands there. */
const searchedCharacters = 4_000;
const longestAnswer = 300;

/**
 * The final answer of a solution: the last `\boxed{...}`, else what follows the last `####`, else what follows the last "answer is", else
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

function lastBoxed(text: string): string | undefined {
  const at = Math.max(text.lastIndexOf('\\boxed{'), text.lastIndexOf('\\fbox{'));
  if (at === -1) return undefined;
  const start = text.indexOf('{', at) + 1;
  let depth = 1;
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === '{') depth += 1;
    else if (text[index] === '}') depth -= 1;
    if (depth === 0) return text.slice(start, index);
  }
  return undefined;
}

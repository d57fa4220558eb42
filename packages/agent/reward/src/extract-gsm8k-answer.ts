/**
 * - `strict`: the last `#### number`. This also teaches the format.
 * - `flexible`: the last number anywhere.
 */
export type Gsm8kExtraction = 'strict' | 'flexible';

/** Only this many characters at the end of a response are searched, as in verl: an answer stands last. */
export const gsm8kSearchedCharacters = 300;

const strictAnswer = /#### (-?\$?[0-9.,]+)/g;
const anyNumber = /-?[0-9.,]+/g;

/**
 * Finds the final answer in a response by the rules of verl's GSM8K reward
 * (https://github.com/volcengine/verl/blob/main/verl/utils/reward_score/gsm8k.py).
 * @returns the answer as text without commas and `$`; undefined where there is none
 */
export function extractGsm8kAnswer(
  responseText: string,
  method: Gsm8kExtraction = 'strict',
): string | undefined {
  const end = lastCharacters(responseText, gsm8kSearchedCharacters);
  const found =
    method === 'strict'
      ? [...end.matchAll(strictAnswer)].at(-1)?.[1]
      : // A lone comma or full stop also fits the pattern, and prose is full of them.
        [...end.matchAll(anyNumber)].findLast(([match]) => /\d/.test(match))?.[0];
  return found?.replaceAll(/[,$]/g, '');
}

function lastCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  // The rule counts code points; in UTF-16 each takes one unit or two.
  return Array.from(text.slice(-2 * count))
    .slice(-count)
    .join('');
}

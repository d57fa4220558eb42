import type { Floats } from '../numbers/gemm.ts';
import { logSumExp } from '../numbers/log-sum-exp.ts';
import type { SeededRandom } from '../numbers/seeded-random.ts';

export interface DrawOptions {
  temperature: number;
  topP: number;
  /** 0: all tokens. */
  topK: number;
}

/**
 * Draws the next token. Its logprob is that of the temperature among all tokens, also where only the likeliest were to be drawn from;
 * at temperature 0 that of temperature 1.
 */
export function drawToken(
  scores: Floats,
  { temperature, topP, topK }: DrawOptions,
  random: SeededRandom,
): { token: number; logprob: number } {
  const scale = temperature === 0 ? 1 : temperature;
  const warm = scale === 1 ? scores : scores.map((score) => score / scale);
  const normaliser = logSumExp(warm, 0, warm.length);
  const token =
    temperature === 0
      ? likeliest(scores)
      : draw(warm, normaliser, candidates(warm, normaliser, topP, topK), random);
  return { token, logprob: warm[token]! - normaliser };
}

function likeliest(scores: Floats): number {
  let best = 0;
  for (let token = 1; token < scores.length; token += 1) if (scores[token]! > scores[best]!) best = token;
  return best;
}

/** The tokens that may be drawn; undefined for all. */
function candidates(scores: Floats, normaliser: number, topP: number, topK: number): number[] | undefined {
  if (topP >= 1 && (topK <= 0 || topK >= scores.length)) return undefined;
  const ranked = Array.from(scores.keys()).toSorted((one, other) => scores[other]! - scores[one]!);
  const most = topK > 0 ? Math.min(topK, ranked.length) : ranked.length;
  let total = 0;
  let count = 0;
  while (count < most && (count === 0 || total < topP)) {
    total += Math.exp(scores[ranked[count]!]! - normaliser);
    count += 1;
  }
  return ranked.slice(0, count);
}

function draw(scores: Floats, normaliser: number, among: number[] | undefined, random: SeededRandom): number {
  const count = among?.length ?? scores.length;
  const tokenAt = (place: number): number => among?.[place] ?? place;
  let total = 0;
  for (let place = 0; place < count; place += 1) total += Math.exp(scores[tokenAt(place)]! - normaliser);
  let left = random.uniform() * total;
  for (let place = 0; place < count; place += 1) {
    left -= Math.exp(scores[tokenAt(place)]! - normaliser);
    if (left < 0) return tokenAt(place);
  }
  // The last bit of a sum can be missing.
  return tokenAt(count - 1);
}

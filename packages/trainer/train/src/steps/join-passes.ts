import { isJsonObject } from '@art/ground';
import type { StepRow } from './step-row.ts';
import type { PassResult } from './training-steps.ts';

/** The result of one request of a pass, as the service returned it. */
export interface PassPart {
  rows: readonly StepRow[];
  /** One for each row that the service gave an output for; undefined where there are no logprobs in it. */
  logprobs: readonly (readonly number[] | undefined)[];
  /** An object; what is no number in it is left out, and what is not finite is NaN. */
  metrics: unknown;
}

/**
 * The requests of one pass as one result. Sums and numbers of tokens are added, of the norm of a gradient the last one counts, of `:max` and `:min`
 * the outermost; everything else is a mean by the rows of the requests that have it. Logprobs are there where every row has one for each of its tokens.
 */
export function joinPasses(parts: readonly PassPart[]): PassResult {
  const joined: Record<string, number> = {};
  const rowCounts: Record<string, number> = {};
  for (const { rows, metrics } of parts) {
    for (const [name, value] of Object.entries(numbersOf(metrics))) {
      const before = joined[name];
      const count = (rowCounts[name] = (rowCounts[name] ?? 0) + rows.length);
      if (before === undefined || name.endsWith('grad_norm')) joined[name] = value;
      else if (name.endsWith(':sum') || name === 'global_token_num') joined[name] = before + value;
      else if (name.endsWith(':max')) joined[name] = Math.max(before, value);
      else if (name.endsWith(':min')) joined[name] = Math.min(before, value);
      else joined[name] = before + ((value - before) * rows.length) / count;
    }
  }
  const logprobs = parts.flatMap(({ rows, logprobs: known }) =>
    rows.map((row, at) => (known[at]?.length === row.tokens.length ? known[at] : undefined)),
  );
  const told = logprobs.filter((row) => row !== undefined).length;
  const outputs = parts.reduce((sum, { logprobs: known }) => sum + known.length, 0);
  return {
    metrics: joined,
    answeredRows: told > 0 ? told : outputs,
    ...(logprobs.every((row) => row !== undefined) && { logprobs }),
  };
}

/** The members of an object that are numbers. JSON has no number that is not finite: null, `NaN` and `Infinity` as texts are such. */
export function numbersOf(value: unknown): Record<string, number> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, number][] => {
      const number = numberOf(member);
      return number === undefined ? [] : [[name, number]];
    }),
  );
}

/** A list of numbers as JSON brings it; undefined where it is none. */
export function numberListOf(value: unknown): number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const numbers = value.map(numberOf);
  return numbers.every((number) => number !== undefined) ? numbers : undefined;
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (value === null) return Number.NaN;
  return typeof value === 'string' && /^[+-]?(nan|inf(inity)?)$/i.test(value) ? Number.NaN : undefined;
}

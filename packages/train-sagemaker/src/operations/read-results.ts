import { ArtError, isJsonObject } from '@art/protocol';
import type { PassResult, Sample, StepRow } from '@art/train/steps';

type Members = Record<string, unknown>;

/** One request's share of a pass. */
export interface ChunkResult {
  rows: readonly StepRow[];
  result: Members;
}

/** Puts the results of the requests of one pass together. Metrics are means by row, but for sums and for what the last request knows. */
export function readPass(chunks: readonly ChunkResult[]): PassResult {
  const rowCount = chunks.reduce((sum, { rows }) => sum + rows.length, 0);
  const metrics: Record<string, number> = {};
  for (const { rows, result } of chunks) {
    for (const [name, value] of Object.entries(numbersOf(result['metrics']))) {
      if (name.endsWith('grad_norm')) metrics[name] = value;
      else if (name === 'global_token_num' || name.endsWith(':sum'))
        metrics[name] = (metrics[name] ?? 0) + value;
      else metrics[name] = (metrics[name] ?? 0) + (value * rows.length) / rowCount;
    }
  }
  const logprobs = chunks.flatMap(({ rows, result }) => logprobsOf(rows, result) ?? [undefined]);
  return {
    metrics,
    ...(logprobs.every((row) => row !== undefined) && logprobs.length === rowCount && { logprobs }),
  };
}

// Which outputs a loss gives is not documented: these are taken where they are there, and are of the rows' lengths.
function logprobsOf(rows: readonly StepRow[], result: Members): number[][] | undefined {
  const outputs = result['lossFnOutputs'];
  if (!Array.isArray(outputs) || outputs.length !== rows.length) return undefined;
  const lists = outputs.map((output: unknown, at) => {
    const tensor = isJsonObject(output) ? output['logprobs'] : undefined;
    const data = isJsonObject(tensor) ? tensor['data'] : undefined;
    return isNumbers(data) && data.length === rows[at]!.tokens.length ? data : undefined;
  });
  return lists.every((list) => list !== undefined) ? lists : undefined;
}

export function numbersOf(value: unknown): Record<string, number> {
  if (!isJsonObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

/** @throws ArtError `ART_SAGEMAKER_UNKNOWN_ANSWER`, also where logprobs are missing: nothing can be trained without them */
export function readSamples(result: Members, wanted: number): Sample[] {
  const sequences = result['sequences'];
  if (!Array.isArray(sequences) || sequences.length !== wanted) throw odd(`${wanted} sequences`, sequences);
  return sequences.map((sequence: unknown): Sample => {
    const { tokens, logprobs, stopReason } = isJsonObject(sequence) ? sequence : {};
    if (!isNumbers(tokens)) throw odd('tokens', sequence);
    if (!isNumbers(logprobs) || logprobs.length !== tokens.length)
      throw odd(
        `a logprob for each of ${tokens.length} tokens, without which nothing can be trained`,
        sequence,
      );
    if (stopReason !== 'stop' && stopReason !== 'length')
      throw odd("the stopReason 'stop' or 'length'", stopReason);
    return { tokens, logprobs, stopReason };
  });
}

/** @throws ArtError `ART_SAGEMAKER_UNKNOWN_ANSWER` */
export function readLogprobs(result: Members, tokens: number): (number | null)[] {
  const { logprobs } = result;
  const isFitting =
    Array.isArray(logprobs) &&
    logprobs.length === tokens &&
    logprobs.every((logprob) => logprob === null || typeof logprob === 'number');
  if (!isFitting) throw odd(`${tokens} logprobs`, logprobs);
  return logprobs.map((logprob: number | null, at) => (at === 0 ? null : logprob));
}

/** @throws ArtError `ART_SAGEMAKER_UNKNOWN_ANSWER` */
export function readArn(result: Members): string {
  const arn = result['modelPackageArn'];
  if (typeof arn !== 'string' || arn === '') throw odd('a modelPackageArn', result);
  return arn;
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((number) => typeof number === 'number');
}

function odd(expected: string, got: unknown): ArtError {
  return new ArtError({
    code: 'ART_SAGEMAKER_UNKNOWN_ANSWER',
    message: `Expected ${expected}, got ${(JSON.stringify(got) ?? 'nothing').slice(0, 200)}.`,
  });
}

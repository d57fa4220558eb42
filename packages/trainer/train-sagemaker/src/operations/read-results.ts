import { ArtError, isJsonObject } from '@art/ground';
import { numberListOf, type Sample } from '@art/train/steps';

type Members = Record<string, unknown>;

/** By row, where the service gives them: which outputs a loss has is not documented. */
export function passLogprobs({ lossFnOutputs: outputs }: Members): (number[] | undefined)[] {
  if (!Array.isArray(outputs)) return [];
  return outputs.map((output: unknown) => {
    const tensor = isJsonObject(output) ? output['logprobs'] : undefined;
    const data = isJsonObject(tensor) ? tensor['data'] : undefined;
    return numberListOf(data);
  });
}

/** @throws ArtError `ART_SAGEMAKER_UNKNOWN_ANSWER`, also where logprobs are missing: nothing can be trained without them */
export function readSampledSequences(result: Members, wanted: number): Sample[] {
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
export function readPassLogprobs(result: Members, tokens: number): (number | null)[] {
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

import { isJsonObject } from '@art/protocol';

import type { SamplePart } from './token-sampler.ts';

/** An error that an engine reports in the place of tokens, as the end of the answer; undefined where it reports none. */
export function readEngineError(event: Readonly<Record<string, unknown>>): SamplePart | undefined {
  const { error } = event;
  if (error === undefined || error === null) return undefined;
  const told = isJsonObject(error) ? error['message'] : error;
  const message = typeof told === 'string' ? told : 'the engine reported an error';
  return { ids: [], logprobs: undefined, finish: { reason: 'abort', message } };
}

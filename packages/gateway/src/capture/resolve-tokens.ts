import type { ChoiceDraft } from './reply-draft.ts';
import type { NumberArray, StreamedSequence } from './streamed-tokens.ts';

/** The tokens of a choice, once the whole answer is known. */
export interface ResolvedTokens {
  /** undefined where the engine gave none. */
  tokenIds: Int32Array | undefined;
  logprobs: Float64Array | undefined;
}

/**
 * Decides for every choice which ids it has, and whether they and the logprobs came as what was new with each event or as
 * all there was so far. The engine's own count decides; without one, whether the arrays grew with every event.
 * @param counted `usage.completion_tokens`, of all choices together
 */
export function resolveTokens(
  choices: readonly ChoiceDraft[],
  counted: number | undefined,
): readonly ResolvedTokens[] {
  const sources = choices.map((choice) => ({ choice, ids: idsOf(choice) }));
  const sequences = sources.flatMap(({ choice, ids }) =>
    ids instanceof Int32Array ? [] : [ids ?? choice.logprobs],
  );
  const fixed = sources.reduce((sum, { ids }) => sum + (ids instanceof Int32Array ? ids.length : 0), 0);
  const asDeltas = sequences.reduce((sum, sequence) => sum + sequence.deltaLength, fixed);
  const asWholes = sequences.reduce(
    (sum, sequence) => sum + (sequence.cumulativeLength ?? sequence.deltaLength),
    fixed,
  );
  const isSaid = counted !== undefined && asDeltas !== asWholes;
  const reading = isSaid && counted === asWholes ? true : isSaid && counted === asDeltas ? false : undefined;

  return sources.map(({ choice, ids }) => {
    const isCumulative =
      reading ?? (ids instanceof Int32Array ? false : (ids ?? choice.logprobs).looksCumulative);
    const tokenIds = ids instanceof Int32Array ? ids : ids?.toArray(isCumulative);
    if (!choice.hasLogprobs) return { tokenIds, logprobs: undefined };
    const logprobs = choice.logprobs.toArray(
      tokenIds === undefined ? isCumulative : fits(choice.logprobs, tokenIds.length, isCumulative),
    );
    return { tokenIds, logprobs };
  });
}

function idsOf(choice: ChoiceDraft): Int32Array | StreamedSequence<Int32Array> | undefined {
  if (choice.finalIds !== undefined) return choice.finalIds;
  if (choice.hasIds) return choice.ids;
  return choice.hasLogprobIds ? choice.logprobIds : undefined;
}

// Logprobs and ids of one stream need not be sent the same way: whichever reading has one logprob for each id.
function fits(sequence: StreamedSequence<NumberArray>, length: number, otherwise: boolean): boolean {
  if (sequence.cumulativeLength === length) return true;
  return sequence.deltaLength === length ? false : otherwise;
}

import { isJsonObject } from '@art/ground';
import { numberListOf } from '@art/train/steps';
import { type PassRequest, lossConfig, lossInputs, type Reduction } from './pass-request.ts';
import { type PassOutput, type SampledSequence, unknownAnswer } from './results.ts';

/** A pass as JSON, as Tinker's client wrote it up to 0.24. */
export function jsonPass({ modelId, seqId, rows, loss }: PassRequest, reduction: Reduction): object {
  return {
    model_id: modelId,
    seq_id: seqId,
    forward_backward_input: {
      data: rows.map((row) => ({
        model_input: { chunks: [{ tokens: row.tokens, type: 'encoded_text' }] },
        loss_fn_inputs: Object.fromEntries(
          lossInputs(row, loss, reduction).map(({ name, data, dtype }) => [
            name,
            { data, dtype, shape: [data.length] },
          ]),
        ),
      })),
      loss_fn: loss.name,
      loss_fn_config: lossConfig(loss) ?? null,
    },
    type: 'forward_backward',
  };
}

/** @throws ArtError `ART_TINKER_UNKNOWN_ANSWER` */
export function readJsonPass(answer: unknown): PassOutput {
  const { loss_fn_outputs: outputs, metrics } = isJsonObject(answer) ? answer : {};
  if (!Array.isArray(outputs)) throw unknownAnswer('a list loss_fn_outputs', answer);
  return {
    logprobs: outputs.map((output: unknown) => {
      const tensor = isJsonObject(output) ? output['logprobs'] : undefined;
      const data = isJsonObject(tensor) ? tensor['data'] : undefined;
      return numberListOf(data);
    }),
    metrics,
  };
}

/** @throws ArtError `ART_TINKER_UNKNOWN_ANSWER` */
export function readJsonSamples(answer: unknown): {
  sequences: SampledSequence[];
  promptLogprobs: (number | null)[];
} {
  const { sequences, prompt_logprobs: prompt } = isJsonObject(answer) ? answer : {};
  if (!Array.isArray(sequences)) throw unknownAnswer('a list sequences', answer);
  return {
    sequences: sequences.map((sequence: unknown): SampledSequence => {
      const { tokens, logprobs, stop_reason: stopReason } = isJsonObject(sequence) ? sequence : {};
      if (!isNumbers(tokens)) throw unknownAnswer('a sequence with tokens', sequence);
      return { tokens, logprobs: isNumbers(logprobs) ? logprobs : undefined, stopReason: String(stopReason) };
    }),
    promptLogprobs: Array.isArray(prompt)
      ? prompt.map((logprob: unknown) => (typeof logprob === 'number' ? logprob : null))
      : [],
  };
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((number) => typeof number === 'number');
}

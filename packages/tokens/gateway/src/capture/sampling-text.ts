import { writeObject } from '../json-bytes/write-json.ts';

/**
 * The engines' names for the parameters of sampling. Sources: OpenAI's API, vLLM 0.32, SGLang 0.5.23, TensorRT-LLM 1.2.
 */
const samplingNames = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'n',
  'best_of',
  'seed',
  'stop',
  'stop_sequences',
  'stop_token_ids',
  'ignore_eos',
  'max_tokens',
  'max_completion_tokens',
  'max_new_tokens',
  'max_output_tokens',
  'min_tokens',
  'presence_penalty',
  'frequency_penalty',
  'repetition_penalty',
  'length_penalty',
  'logit_bias',
  'allowed_token_ids',
  'bad_words',
] as const;

/** With which parameters a call was sampled, each an object as JSON text. */
export interface SamplingText {
  /** As the engine was sent them. What is not there is the engine's default. */
  samplingParams: string;
  /** Parameters of the agent that the session replaced; undefined where there are none. */
  overriddenParams: string | undefined;
}

/**
 * @param value the JSON text of a field as the engine is sent it
 * @param given the JSON text of a field as the agent wrote it
 * @param set what the session sets, JSON text by name
 */
export function samplingText(
  value: (name: string) => string | undefined,
  given: (name: string) => string | undefined,
  set: ReadonlyMap<string, string>,
): SamplingText {
  const sent: [string, string][] = [];
  const overridden: [string, string][] = [];
  for (const name of new Set([...samplingNames, ...set.keys()])) {
    const text = value(name);
    if (text === undefined || text === 'null' || name === 'model') continue;
    sent.push([name, text]);
    const own = given(name);
    if (set.has(name) && own !== undefined && own !== 'null' && !isSame(own, text))
      overridden.push([name, own]);
  }
  const overriddenParams = overridden.length === 0 ? undefined : writeObject(overridden);
  return { samplingParams: writeObject(sent), overriddenParams };
}

/** True if two texts are one value: 1 and 1.0 are. */
function isSame(left: string, right: string): boolean {
  return left === right || (isNumber(left) && isNumber(right) && Number(left) === Number(right));
}

function isNumber(text: string): boolean {
  return /^-?\d/.test(text);
}

import { isJsonObject, jsonIn } from '@art/ground';

/**
 * Fields that restrict by themselves which tokens may be sampled.
 * Sources: vLLM 0.32 (`structured_outputs`, `guided_*` before 0.12), SGLang 0.5.23 (`regex`, `ebnf`, `json_schema`), TensorRT-LLM 1.2
 * (`guided_decoding*`), llama.cpp (`grammar`).
 */
const restricting =
  /^(?:guided_(?!decoding_backend$|whitespace_pattern$).+|structured_outputs?|structural_tag|regex|ebnf|grammar|json_schema|json_object|allowed_token_ids|bad_words|logit_bias|logits_processors|custom_logit_processor)$/;

/** Objects in which servers and clients nest their own fields. */
const nesting = new Set(['extra_body', 'nvext', 'sampling_params']);

/**
 * The fields of a call by which its tokens are sampled from less than what the model would say: under a grammar, a schema or a
 * list of tokens. The logprobs of what is sampled so are not the model's own.
 * @param names of the fields of the body
 * @param value the JSON text of a field
 */
export function constraintsOf(
  names: Iterable<string>,
  value: (name: string) => string | undefined,
): readonly string[] {
  const found: string[] = [];
  for (const name of new Set(names)) {
    if (!mayConstrain(name)) continue;
    const content = contentOf(value(name));
    if (constrains(name, content)) found.push(name);
    if (!nesting.has(name) || !isJsonObject(content)) continue;
    for (const [inner, nested] of Object.entries(content)) {
      if (mayConstrain(inner) && constrains(inner, nested)) found.push(`${name}.${inner}`);
    }
  }
  return found;
}

function mayConstrain(name: string): boolean {
  return (
    ['tool_choice', 'function_call', 'response_format'].includes(name) ||
    nesting.has(name) ||
    restricting.test(name)
  );
}

function constrains(name: string, content: unknown): boolean {
  switch (name) {
    case 'tool_choice':
    case 'function_call':
      return forcesCall(content);
    case 'response_format':
      return isJsonObject(content) && content['type'] !== 'text';
    default:
      return restricting.test(name) && !isNothing(content);
  }
}

/** `required` and `any`, a named tool, and allowed tools of which one must be called. */
function forcesCall(choice: unknown): boolean {
  if (typeof choice === 'string') return choice !== 'auto' && choice !== 'none';
  if (!isJsonObject(choice)) return false;
  const { type, mode, allowed_tools: allowed } = choice;
  if (type === 'allowed_tools')
    return mode === 'required' || (isJsonObject(allowed) && allowed['mode'] === 'required');
  return type !== 'auto' && type !== 'none';
}

function isNothing(content: unknown): boolean {
  if (content === undefined || content === null || content === false || content === '') return true;
  if (Array.isArray(content)) return content.length === 0;
  // A schema may be empty and still ask for JSON; an object of settings that are all unset does not.
  return isJsonObject(content) && Object.values(content).every((inner) => inner === null || inner === false);
}

function contentOf(text: string | undefined): unknown {
  // The engine will refuse what is no JSON.
  return text === undefined ? undefined : jsonIn(text);
}

import { describeValue, jsonIn } from '@art/ground';
import { InvalidArgumentError } from 'commander';

/** Collects `KEY=VALUE` of a repeatable option; the last one of a key wins, the value may be empty. */
export function environmentArgument(
  text: string,
  previous: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const [key, value] = split(text, 'KEY=VALUE');
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) {
    throw new InvalidArgumentError(
      `Expected the name of an environment variable before "=", got ${describeValue(key)}.`,
    );
  }
  return { ...previous, [key]: value };
}

/** Fields of `_rollout` that have an option of their own, or that the client sets. */
const ownOption: Readonly<Record<string, string>> = {
  exp_id: '--exp-id',
  input_id: '--input-id',
  s3_bucket: '--bucket',
  base_url: '--base-url',
  model_id: '--model-id',
};

/**
 * Collects `field=value` of `--set`: the value is JSON where it can be read as JSON, and a text otherwise, so that both
 * `temperature=0.7` and `split=train` mean what they say.
 */
export function rolloutFieldArgument(
  text: string,
  previous: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const [field, value] = split(text, 'field=value');
  const option = Object.hasOwn(ownOption, field) ? ownOption[field] : undefined;
  if (option !== undefined) throw new InvalidArgumentError(`Use ${option} for the field ${field}.`);
  if (field === '__proto__') throw new InvalidArgumentError('"__proto__" cannot be the name of a field.');
  return { ...previous, [field]: jsonIn(value, value) };
}

function split(text: string, expected: string): [string, string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new InvalidArgumentError(`Expected ${expected}, got ${describeValue(text)}.`);
}

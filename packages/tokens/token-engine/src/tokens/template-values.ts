import { Environment } from '@huggingface/jinja';

import { JsonNumber, type LosslessJson } from './lossless-json.ts';

/** A value inside the template interpreter. */
export interface TemplateValue {
  readonly type: string;
  readonly value: unknown;
}

type ValueClass = new (value?: unknown) => TemplateValue;

// The interpreter does not export the classes of its values, but makes one of each kind on request.
function classOf(sample: unknown): ValueClass {
  return new Environment().set('sample', sample).constructor;
}

const NullValue = classOf(null);
const BooleanValue = classOf(true);
const StringValue = classOf('');
const IntegerValue = classOf(1);
const FloatValue = classOf(0.5);
const ArrayValue = classOf([]);
const ObjectValue = classOf({});
const FunctionValue = classOf(() => null);

/**
 * A function that templates call, with a JavaScript value as its result. The second argument may be missing where the function
 * says so. Arguments that were passed by name follow as one last value of type `KeywordArgumentsValue`.
 */
export type TemplateFunction = (
  first: TemplateValue,
  second: TemplateValue,
  ...more: TemplateValue[]
) => TemplateValue | string | boolean | number | readonly TemplateValue[];

export function templateFunction(call: TemplateFunction): TemplateValue {
  return new FunctionValue((args: Parameters<TemplateFunction>) => templateValue(call(...args)));
}

/** A text, truth value, integer or list as the interpreter has it. */
export function templateValue(value: ReturnType<TemplateFunction>): TemplateValue {
  if (typeof value === 'string') return new StringValue(value);
  if (typeof value === 'boolean') return new BooleanValue(value);
  if (typeof value === 'number') return new IntegerValue(value);
  return Array.isArray(value) ? new ArrayValue(value) : (value as TemplateValue);
}

/**
 * JSON as the interpreter's values, integers and floats apart as in Python; the interpreter's own conversion would see
 * a plain number and take `1.0` for an integer.
 */
export function toTemplateValue(json: LosslessJson | undefined): TemplateValue {
  if (json === null || json === undefined) return new NullValue();
  if (typeof json === 'string' || typeof json === 'boolean') return templateValue(json);
  if (json instanceof JsonNumber) return numberValue(json);
  if (Array.isArray(json)) return new ArrayValue(json.map(toTemplateValue));
  return new ObjectValue(new Map(Array.from(json, ([name, member]) => [name, toTemplateValue(member)])));
}

function numberValue(number: JsonNumber): TemplateValue {
  const value = Number(number.literal);
  if (!number.isInteger) return new FloatValue(value);
  if (Number.isSafeInteger(value)) return new IntegerValue(value === 0 ? 0 : value);
  return new IntegerValue(BigInt(number.literal));
}

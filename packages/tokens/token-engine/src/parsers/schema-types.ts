import { JsonNumber, type LosslessJson, type LosslessObject } from '../tokens/lossless-json.ts';

/** Types of JSON schema that keywords belong to where no type is said. */
const typesOfKeywords: ReadonlyMap<string, string> = new Map([
  ['pattern', 'string'],
  ['minLength', 'string'],
  ['maxLength', 'string'],
  ['format', 'string'],
  ['minimum', 'number'],
  ['maximum', 'number'],
  ['exclusiveMinimum', 'number'],
  ['exclusiveMaximum', 'number'],
  ['multipleOf', 'number'],
  ['items', 'array'],
  ['prefixItems', 'array'],
  ['properties', 'object'],
  ['additionalProperties', 'object'],
]);

/** The schemas of a parameter: through references, and in all parts of a schema that is put together. */
export function schemasOfProperty(root: LosslessJson | undefined, name: string): LosslessJson[] {
  const found: LosslessJson[] = [];
  const seen = new Set<LosslessObject>();
  const visit = (schema: LosslessJson | undefined): void => {
    if (!(schema instanceof Map) || seen.has(schema)) return;
    seen.add(schema);
    const properties = schema.get('properties');
    const property = properties instanceof Map ? properties.get(name) : undefined;
    if (property !== undefined) found.push(property);
    for (const part of partsOf(schema, root)) visit(part);
  };
  visit(root);
  return found;
}

/**
 * The types that a schema allows: its own, those of its values (`const`, `enum`), of one of `anyOf` and `oneOf`, of all of `allOf`, and of what it
 * refers to. Undefined where it says nothing of that.
 * @param root where references begin
 */
export function typesOfSchema(
  schema: LosslessJson | undefined,
  root: LosslessJson | undefined,
  seen: readonly LosslessJson[] = [],
): Set<string> | undefined {
  if (!(schema instanceof Map) || seen.includes(schema)) return undefined;
  const typesOf = (part: LosslessJson | undefined): Set<string> | undefined =>
    typesOfSchema(part, root, [...seen, schema]);
  const bounds = [ownTypes(schema), typesOfValues(schema)];
  const reference = schema.get('$ref');
  if (typeof reference === 'string') bounds.push(typesOf(referred(root, reference)));
  for (const part of listOf(schema.get('allOf'))) bounds.push(typesOf(part));
  for (const name of ['anyOf', 'oneOf']) {
    const choices = listOf(schema.get(name)).map(typesOf);
    const known = choices.filter((types) => types !== undefined);
    if (known.length > 0) bounds.push(new Set(known.flatMap((types) => [...types])));
  }
  const said = bounds.filter((types) => types !== undefined);
  const types = said.length === 0 ? typesOfOtherKeywords(schema) : said.reduce(both);
  if (types !== undefined && schema.get('nullable') === true) types.add('null');
  return types;
}

function ownTypes(schema: LosslessObject): Set<string> | undefined {
  const type = schema.get('type');
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string');
  return types.length === 0 ? undefined : new Set(types);
}

function typesOfValues(schema: LosslessObject): Set<string> | undefined {
  const values = schema.has('const') ? [schema.get('const')!] : listOf(schema.get('enum'));
  return values.length === 0 ? undefined : new Set(values.map(typeOf));
}

function typesOfOtherKeywords(schema: LosslessObject): Set<string> | undefined {
  for (const [keyword, type] of typesOfKeywords) if (schema.has(keyword)) return new Set([type]);
  return undefined;
}

/** Integers are numbers. Of types that exclude each other the first ones stay: such a schema is a mistake. */
function both(first: Set<string>, second: Set<string>): Set<string> {
  const common = new Set(
    [...first].filter((type) => fits(type, second)).concat([...second].filter((type) => fits(type, first))),
  );
  return common.size === 0 ? first : common;
}

function fits(type: string, types: Set<string>): boolean {
  return types.has(type) || (type === 'integer' && types.has('number'));
}

function typeOf(value: LosslessJson): string {
  if (value === null) return 'null';
  if (value instanceof JsonNumber) return value.isInteger ? 'integer' : 'number';
  if (Array.isArray(value)) return 'array';
  return value instanceof Map ? 'object' : typeof value;
}

function partsOf(schema: LosslessObject, root: LosslessJson | undefined): (LosslessJson | undefined)[] {
  const reference = schema.get('$ref');
  return [
    ...(typeof reference === 'string' ? [referred(root, reference)] : []),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((name) => listOf(schema.get(name))),
  ];
}

function listOf(value: LosslessJson | undefined): LosslessJson[] {
  return Array.isArray(value) ? value : [];
}

/** The schema that a reference such as `#/$defs/Port` stands for, within the parameters of its tool. */
function referred(root: LosslessJson | undefined, reference: string): LosslessJson | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let found = root;
  for (const part of reference.split('/').slice(1)) {
    const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(found)) found = found[Number(name)];
    else found = found instanceof Map ? found.get(name) : undefined;
  }
  return found;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

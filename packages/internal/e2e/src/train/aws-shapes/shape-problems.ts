import type { ServiceModel, Shape } from './service-model.ts';

/** Where JSON is not what a shape says: types, bounds, required and unknown members, enumerations, unions. */
export function shapeProblems(
  { shapes }: Pick<ServiceModel, 'shapes'>,
  name: string,
  value: unknown,
  path = name,
): string[] {
  const shape = shapes[name]!;
  if (shape.document === true) return [];
  const inner = (part: { shape: string }, given: unknown, step: string): string[] =>
    shapeProblems({ shapes }, part.shape, given, `${path}${step}`);
  if (!hasType(shape, value))
    return [`${path}: expected ${shape.type}, got ${JSON.stringify(value)?.slice(0, 60)}`];
  const problems = boundProblems(shape, value).map((problem) => `${path}: ${problem}`);
  if (shape.type === 'structure') {
    // What travels in the path is no part of the body.
    const members = Object.entries(shape.members ?? {}).filter(([, { location }]) => location === undefined);
    const known = new Map(members);
    const given = Object.entries(value as object);
    for (const [key, part] of given) {
      const member = known.get(key);
      problems.push(...(member === undefined ? [`${path}.${key}: unknown`] : inner(member, part, `.${key}`)));
    }
    for (const key of shape.required ?? [])
      if (known.has(key) && !given.some(([own]) => own === key)) problems.push(`${path}.${key}: missing`);
    if (shape.union === true && given.length !== 1)
      problems.push(`${path}: ${given.length} members of a union`);
  }
  if (shape.type === 'list')
    problems.push(...(value as unknown[]).flatMap((item, at) => inner(shape.member!, item, `[${at}]`)));
  if (shape.type === 'map')
    problems.push(
      ...Object.entries(value as object).flatMap(([key, item]) => inner(shape.value!, item, `.${key}`)),
    );
  return problems;
}

function hasType({ type }: Shape, value: unknown): boolean {
  if (type === 'integer' || type === 'long') return Number.isSafeInteger(value);
  if (type === 'double' || type === 'float' || type === 'timestamp') return Number.isFinite(value);
  if (type === 'string' || type === 'boolean') return typeof value === type;
  if (type === 'list') return Array.isArray(value);
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function boundProblems({ type, min, max, pattern, enum: values }: Shape, value: unknown): string[] {
  const isSized = type === 'string' || type === 'list';
  const size = isSized ? (value as { length: number }).length : value;
  const problems: string[] = [];
  if (typeof size === 'number' && size < (min ?? -Infinity)) problems.push(`${size} is less than ${min}`);
  if (typeof size === 'number' && size > (max ?? Infinity)) problems.push(`${size} is more than ${max}`);
  if (typeof value !== 'string') return problems;
  if (
    pattern !== undefined &&
    !new RegExp(`^(?:${pattern})$`, pattern.includes('\\p{') ? 'u' : '').test(value)
  )
    problems.push(`${JSON.stringify(value)} does not match ${pattern}`);
  if (values !== undefined && !values.includes(value)) problems.push(`${value} is none of ${values.join()}`);
  return problems;
}

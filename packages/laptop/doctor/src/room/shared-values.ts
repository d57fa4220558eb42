/** The output of a session, by where it stands: `model call 1 .messages[0].content`. */
export type SessionOutput = ReadonlyMap<string, string | number>;

/** A value that two sessions had in common, and another process of the same agent had not. */
export interface SharedValue {
  where: string;
  value: string | number;
}

const leastDigits = 6;
/** ISO 8601, and how it is written in names of files. */
const times = /\d{4}-\d\d-\d\d[T_ -]\d\d[\d:._-]*Z?|20\d{6}[T_-]\d{4,6}Z?/g;

/** Every text and number of a JSON value, by its path. */
export function flattened(value: unknown, path: string, into: Map<string, string | number>): void {
  if (typeof value === 'string' || typeof value === 'number') into.set(path, value);
  else if (Array.isArray(value)) value.forEach((part, index) => flattened(part, `${path}[${index}]`, into));
  else if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value)) flattened(part, `${path}.${name}`, into);
}

/**
 * Values that two clones share and a process without a snapshot does not have: what all three have is a constant of the agent, and short
 * numbers may be equal by chance. Times are left out, for sessions at the same time have the same.
 */
export function sharedValues(
  [first, second]: readonly [SessionOutput, SessionOutput],
  control: SessionOutput,
): SharedValue[] {
  const found: SharedValue[] = [];
  const inControl = new Set([...control.values()].flatMap(tokensOf));
  const inSecond = new Set([...second.values()].flatMap(tokensOf));
  // The place of a file depends on the names of the others, which may be drawn.
  const inControlFiles = new Set(
    [...control].filter(([where]) => isOfFile(where)).map(([where, value]) => comparable(where, value)),
  );
  for (const [where, value] of first) {
    const other = comparable(where, control.get(where));
    const mine = comparable(where, value);
    const isEqual = mine !== undefined && mine === comparable(where, second.get(where));
    const isConstant = other === mine || (isOfFile(where) && inControlFiles.has(mine));
    if (isEqual && other !== undefined && !isConstant) found.push({ where, value });
    else {
      const token = tokensOf(value).find((one) => inSecond.has(one) && !inControl.has(one));
      if (token !== undefined) found.push({ where, value: token });
    }
  }
  return found;
}

const isOfFile = (where: string): boolean => where.startsWith('file ');

/** The part of a value that chance cannot make equal; undefined where nothing of the kind is there. */
function comparable(where: string, value: string | number | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number') {
    const isSeed = /seed$/i.test(where);
    return (isSeed || digitsOf(value) >= leastDigits) && !isTime(value) ? String(value) : undefined;
  }
  return value
    .replaceAll(times, 'T')
    .replaceAll(/\d+(?:\.\d+)?/g, (digits) =>
      digitsOf(Number(digits)) >= leastDigits && !isTime(Number(digits)) ? digits : '#',
    );
}

/** Parts of a text that look as if they had been drawn. */
function tokensOf(value: string | number): string[] {
  if (typeof value === 'number')
    return digitsOf(value) >= leastDigits && !isTime(value) ? [String(value)] : [];
  return (value.replaceAll(times, ' ').match(/[A-Za-z0-9_-]{8,}/g) ?? []).filter(
    (token) => /\d/.test(token) && /[A-Za-z]/.test(token),
  );
}

function digitsOf(value: number): number {
  return String(value)
    .replace(/e.*$/, '')
    .replaceAll(/\D|^0\.0*/g, '').length;
}

const nearMs = 86_400_000;

/** Milliseconds or seconds since 1970, of today. */
function isTime(value: number): boolean {
  const nowMs = Date.now();
  return Math.abs(value - nowMs) < nearMs || Math.abs(value * 1_000 - nowMs) < nearMs;
}

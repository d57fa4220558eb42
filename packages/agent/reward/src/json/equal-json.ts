import { isJsonObject } from '@art/ground';

export interface JsonEqualityOptions {
  /** How far numbers may be apart. */
  tolerance: number;
  /** True if a list may have its elements in another order. */
  ignoreOrder: boolean;
}

/** JSON as it was written: whole numbers that a double cannot hold become bigints, and numbers past all doubles stay texts. */
export function exactJson(source: string | undefined): unknown {
  if (source === undefined) return undefined;
  return JSON.parse(source, (_, value: unknown, context?: { source?: string }) => {
    const written = context?.source;
    if (typeof value !== 'number' || Number.isSafeInteger(value) || written === undefined) return value;
    if (/^-?\d+$/.test(written)) return BigInt(written);
    return Number.isFinite(value) ? value : written;
  }) as unknown;
}

/** True if what is given has everything that is wanted. Further fields of an object do not count, at any depth. */
export function equalJson(given: unknown, wanted: unknown, options: JsonEqualityOptions): boolean {
  if (isNumber(given) && isNumber(wanted)) return areNear(given, wanted, options.tolerance);
  if (Array.isArray(given) && Array.isArray(wanted)) {
    if (given.length !== wanted.length) return false;
    const isPair = (at: number, other: number): boolean => equalJson(given[other], wanted[at], options);
    return options.ignoreOrder ? canPair(wanted.length, isPair) : wanted.every((_, at) => isPair(at, at));
  }
  if (isJsonObject(given) && isJsonObject(wanted))
    return Object.keys(wanted).every(
      (name) => Object.hasOwn(given, name) && equalJson(given[name], wanted[name], options),
    );
  // A transcript has whole numbers past 2^53 as texts.
  return given === wanted || (typeof given === 'bigint' && String(given) === wanted);
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function areNear(first: number | bigint, second: number | bigint, tolerance: number): boolean {
  if (first === second) return true;
  const areWhole = [first, second].every((each) => typeof each === 'bigint' || Number.isInteger(each));
  const distance = Math.abs(
    Number(areWhole ? BigInt(first) - BigInt(second) : Number(first) - Number(second)),
  );
  // 0.3 is 0.1 from 0.2, whatever doubles make of it.
  const noise =
    tolerance > 0 ? 4 * Number.EPSILON * Math.max(Math.abs(Number(first)), Math.abs(Number(second))) : 0;
  return distance <= tolerance + noise;
}

/** True if all of two lists can be paired, by augmenting paths: the first that fits may be wanted by another one. */
function canPair(length: number, isPair: (at: number, other: number) => boolean): boolean {
  const partner = new Map<number, number>();
  const place = (at: number, tried: Set<number>): boolean => {
    for (let other = 0; other < length; other += 1) {
      if (tried.has(other) || !isPair(at, other)) continue;
      tried.add(other);
      const holder = partner.get(other);
      if (holder !== undefined && !place(holder, tried)) continue;
      partner.set(other, at);
      return true;
    }
    return false;
  };
  return Array.from({ length }, (_, at) => at).every((at) => place(at, new Set()));
}

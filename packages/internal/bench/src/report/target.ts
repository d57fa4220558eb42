/** Claim of a benchmark, and its result. */
export interface Target {
  what: string;
  /** The limit, with its relation: `<= 0.5 s`. */
  limit: string;
  measured: string;
  verdict: 'met' | 'missed' | 'not measured';
}

export interface TargetRule {
  what: string;
  unit: string;
  relation: '<=' | '>=';
  limit: number;
  /** Undefined where what it needs was not run. */
  measured: number | undefined;
  /** Decimal places of the measured value. @default 2 */
  digits?: number;
}

/** Holds a measured value against its limit. */
export function judgeTarget({ what, unit, relation, limit, measured, digits = 2 }: TargetRule): Target {
  const write = (value: string): string => `${value} ${unit}`.trim();
  const stated = { what, limit: `${relation} ${write(String(limit))}` };
  if (measured === undefined) return { ...stated, measured: '', verdict: 'not measured' };
  const isMet = relation === '<=' ? measured <= limit : measured >= limit;
  return { ...stated, measured: write(measured.toFixed(digits)), verdict: isMet ? 'met' : 'missed' };
}

import { ArtError, custom, describeValue, isJsonObject, type OptionRule } from '@art/ground';
import { isAtLeast } from '@art/ground/figures';
import { isAmount, isPriceTable, type PriceTable } from './price-table.ts';

/** The units that a ceiling bounds. `usd` is money, in the currency of the price table. */
export const ceilingUnits = ['calls', 'tokens', 'seconds', 'usd'] as const;
export type CeilingUnit = (typeof ceilingUnits)[number];
/** The most of each unit; a unit that is absent has no bound. */
export type Ceiling = { readonly [Unit in CeilingUnit]?: number | undefined };
/** Spending. Seconds are counted by anyone who knows when the work began. */
export type Spent = Record<Exclude<CeilingUnit, 'seconds'>, number>;

/** The ceilings of a session of the gateway. */
export interface SessionCeilings {
  /** The session's own. */
  sample?: Ceiling | undefined;
  /** The ceiling of its run, which all sessions with this id share; `seconds` are those that are left. */
  run?: { id: string; ceiling: Ceiling; spent: Spent } | undefined;
  /** Every model needs one where `usd` is bounded. */
  prices?: PriceTable | undefined;
}

/** The ceiling that ended a session. */
export interface ReachedCeiling {
  of: 'sample' | 'run';
  unit: CeilingUnit;
  message: string;
  /** A model has no price: nothing of it can be counted, whatever was spent. */
  isUnpriced?: true;
}

const form = /^(\d+(?:\.\d+)?|\.\d+) ?(?:(call|token|second)s?|usd)$/i;

/**
 * Reads ceilings such as `200 calls`, `20000 tokens`, `90 seconds` or `5usd`.
 * @throws ArtError `ART_INVALID_OPTION` with what it cannot read, and for a unit that is named twice
 */
export function readCeiling(option: string, texts: readonly string[]): Ceiling {
  const ceiling: Partial<Record<CeilingUnit, number>> = {};
  for (const text of texts) {
    const [, number, counted] = form.exec(text.trim()) ?? [];
    const unit = counted === undefined ? 'usd' : (`${counted.toLowerCase()}s` as CeilingUnit);
    const most = Number(number);
    const isMeasured = unit === 'usd' || unit === 'seconds';
    if (!(most > 0) || !(isMeasured || Number.isSafeInteger(most)) || ceiling[unit] !== undefined)
      throw new ArtError({
        code: 'ART_INVALID_OPTION',
        message: `Expected ${option} to be a number above 0 and its unit, each unit once, such as "200 calls", "20000 tokens", "90 seconds" or "5usd", got ${describeValue(text)}.`,
      });
    ceiling[unit] = most;
  }
  return ceiling;
}

/** The unit of which all was spent; undefined where something is left of each. */
export function reachedUnit(ceiling: Ceiling, spent: Spent): Exclude<CeilingUnit, 'seconds'> | undefined {
  return (['calls', 'tokens', 'usd'] as const).find(
    (unit) => ceiling[unit] !== undefined && isAtLeast(spent[unit], ceiling[unit]),
  );
}

/** The form of {@link SessionCeilings}. */
export const aSessionCeilings: OptionRule<SessionCeilings> = custom(
  'ceilings { sample?, run?: { id, ceiling, spent }, prices? }',
  (value) => {
    if (!isJsonObject(value)) return false;
    const { sample = {}, run = {}, prices = {} } = value;
    if (!isJsonObject(run) || !isPriceTable(prices)) return false;
    const { id = '', ceiling = {}, spent = {} } = run;
    return typeof id === 'string' && [sample, ceiling, spent].every(areAmounts);
  },
);

function areAmounts(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    Object.entries(value).every(
      ([unit, most]) => (ceilingUnits as readonly string[]).includes(unit) && isAmount(most),
    )
  );
}

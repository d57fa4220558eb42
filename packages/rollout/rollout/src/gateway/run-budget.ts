import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { ArtError, type Clock, jsonObjectIn, systemClock } from '@art/ground';
import {
  type Ceiling,
  type CeilingUnit,
  costOfTokens,
  priceOf,
  type PriceTable,
  reachedUnit,
  type ReachedCeiling,
  type SessionCeilings,
  type Spent,
} from '@art/protocol';

type Total = Record<CeilingUnit, number>;
type Kept = Partial<Total> & { id?: string; judges?: Spent };

/** Ceilings of a run, and of each of its rollouts. */
export interface RunBudgetInit {
  /** Ceiling of the whole run. */
  ceiling: Ceiling;
  /** Ceiling of each attempt of a rollout. */
  sampleCeiling: Ceiling;
  /** Needed where money is bounded. */
  prices: PriceTable | undefined;
  /** The model that agents are given, where that is known. */
  modelId?: string | undefined;
  /** File that keeps what was spent, so that a later process counts it. */
  file?: string | undefined;
  /** Spending from before there was a file. @default nothing */
  spent?: Partial<Total> | undefined;
  /** @default the system's */
  clock?: Clock | undefined;
}

/** Counts what is spent of the ceilings of a run, in this process and in earlier ones. The gateway counts, and refuses what goes beyond. */
export class RunBudget {
  /** Names the run at its gateway, which still knows what a process has spent that was killed. */
  readonly id: string;
  readonly ceiling: Ceiling;
  readonly sampleCeiling: Ceiling;
  readonly #init: RunBudgetInit;
  readonly #clock: Clock;
  readonly #startedMs: number;
  readonly #before: Total;
  /** Spending that the gateway has counted. */
  #spent: Spent;
  /** Spending of judges, of which the gateway knows nothing. */
  readonly #judges: Spent;
  #refused: ReachedCeiling | undefined;
  #isKept = false;

  /** @throws ArtError `ART_INVALID_OPTION` where money is bounded and the model has no price */
  constructor(init: RunBudgetInit) {
    const { ceiling, sampleCeiling, prices, modelId, file, spent, clock = systemClock } = init;
    this.ceiling = ceiling;
    this.sampleCeiling = sampleCeiling;
    this.#init = init;
    this.#clock = clock;
    this.#startedMs = clock.nowMs();
    if (ceiling.usd !== undefined || sampleCeiling.usd !== undefined) assertPrices(prices, modelId);
    const kept = file === undefined ? undefined : readLast(file);
    this.id = kept?.id ?? randomUUID();
    this.#before = { calls: 0, tokens: 0, seconds: 0, usd: 0, ...(kept ?? spent) };
    this.#spent = { ...this.#before };
    this.#judges = { calls: 0, tokens: 0, usd: 0, ...kept?.judges };
  }

  /** All that was spent, in every process. */
  get spent(): Total {
    return { ...this.#models, seconds: this.#before.seconds + this.#elapsedSeconds };
  }

  get #models(): Spent {
    const [agents, judges] = [this.#spent, this.#judges];
    return {
      calls: agents.calls + judges.calls,
      tokens: agents.tokens + judges.tokens,
      usd: agents.usd + judges.usd,
    };
  }

  /** Why no further rollout begins; undefined while some may. */
  get reached(): { unit: CeilingUnit; message: string } | undefined {
    if (this.#refused !== undefined) return this.#refused;
    const { seconds } = this.ceiling;
    const isLate = seconds !== undefined && this.spent.seconds >= seconds;
    const unit = isLate ? 'seconds' : reachedUnit(this.ceiling, this.#models);
    if (unit === undefined) return undefined;
    return { unit, message: `The ceiling of ${this.ceiling[unit]} ${unit} is reached.` };
  }

  /** The ceilings of a session that is made now. */
  sessionCeilings(): SessionCeilings {
    if (!this.#isKept) this.keep();
    const { calls, tokens, usd } = this.#spent;
    const elsewhere = { ...this.#judges, seconds: this.spent.seconds };
    const left = Object.entries(this.ceiling as Record<string, number>).map(([unit, most]) => [
      unit,
      Math.max(0, most - elsewhere[unit as CeilingUnit]),
    ]);
    const ceiling = Object.fromEntries(left) as Ceiling;
    const run = { id: this.id, ceiling, spent: { calls, tokens, usd } };
    return { sample: this.sampleCeiling, run, prices: this.#init.prices };
  }

  /** Takes what the gateway has counted, and writes it down before anything else happens. */
  count(spent: Spent): void {
    const units = ['calls', 'tokens', 'usd'] as const;
    if (units.every((unit) => spent[unit] === this.#spent[unit])) return;
    const { calls, tokens, usd } = spent;
    this.#spent = { calls, tokens, usd };
    this.keep();
  }

  /** Counts a request of a judge to its model. Where money is bounded, a model without a price ends the run. */
  spend({
    model,
    promptTokens,
    completionTokens,
  }: {
    model: string;
    promptTokens: number;
    completionTokens: number;
  }): void {
    const { prices } = this.#init;
    const price = prices === undefined ? undefined : priceOf(prices, model);
    this.#judges.calls += 1;
    this.#judges.tokens += promptTokens + completionTokens;
    if (price !== undefined) this.#judges.usd += costOfTokens(price, promptTokens, completionTokens);
    else if (this.ceiling.usd !== undefined)
      this.#refused ??= {
        of: 'run',
        unit: 'usd',
        message: `The model ${model} of a judge has no price. Give it with --prices.`,
      };
    this.keep();
  }

  /** Takes why the gateway has refused a call. A ceiling may be one of an earlier process, and is higher now. */
  refuse(reached: ReachedCeiling): void {
    if (reached.isUnpriced === true) this.#refused ??= reached;
  }

  /** Writes down what was spent; also when the run ends, for its seconds. */
  keep(): void {
    this.#isKept = true;
    if (this.#init.file === undefined) return;
    // A process that is killed leaves nothing uncounted, and at most a torn line in front.
    appendFileSync(
      this.#init.file,
      `\n${JSON.stringify({ id: this.id, ...this.#spent, seconds: this.spent.seconds, judges: this.#judges })}`,
    );
  }

  get #elapsedSeconds(): number {
    return (this.#clock.nowMs() - this.#startedMs) / 1_000;
  }
}

function readLast(file: string): Kept | undefined {
  if (!existsSync(file)) return undefined;
  // The last line of a process that was killed is torn.
  const lines = readFileSync(file, 'utf8').split('\n');
  return jsonObjectIn(lines.findLast((line) => jsonObjectIn(line) !== undefined) ?? '');
}

function assertPrices(prices: PriceTable | undefined, modelId: string | undefined): void {
  const isPriced =
    prices !== undefined &&
    (modelId === undefined ? Object.keys(prices).length > 0 : priceOf(prices, modelId) !== undefined);
  if (isPriced) return;
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected a price of ${modelId === undefined ? 'the model' : `the model ${modelId}`}, without which no money can be counted, got none. Give it with --prices: {"${modelId ?? '*'}": {"input": 1.5, "output": 6}}, by a million tokens.`,
  });
}

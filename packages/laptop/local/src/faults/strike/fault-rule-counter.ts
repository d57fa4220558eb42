import { faultChance } from './fault-chance.ts';
import type { FaultRule } from '../plan/fault-plan.ts';
import { type FaultTarget, matchesTarget } from '../plan/fault-target.ts';

/** Counts the requests that match one rule and says which of them it strikes. */
export class FaultRuleCounter {
  readonly rule: FaultRule;
  readonly index: number;
  readonly #seed: number;
  #matches = 0;
  #struck = 0;
  #burstUntil = 0;

  constructor(seed: number, rule: FaultRule, index: number) {
    this.#seed = seed;
    this.rule = rule;
    this.index = index;
  }

  get name(): string {
    return this.rule.name ?? `rule ${this.index}`;
  }

  /**
   * Counts a request where it matches.
   * @returns its number among the matches if the rule chooses it
   */
  choose(target: FaultTarget, planAgeMs: number): number | undefined {
    const { when, betweenMs, burst = 1, count = Number.POSITIVE_INFINITY } = this.rule;
    const isInTime = betweenMs === undefined || (planAgeMs >= betweenMs[0] && planAgeMs < betweenMs[1]);
    if (!isInTime || !matchesTarget(when, target)) return undefined;
    this.#matches += 1;
    const match = this.#matches;
    if (match > this.#burstUntil && this.#isChosen(match)) this.#burstUntil = match + burst - 1;
    return match <= this.#burstUntil && this.#struck < count ? match : undefined;
  }

  /** The request that was chosen last is struck by this rule, and not by one before it. */
  strikes(): void {
    this.#struck += 1;
  }

  #isChosen(match: number): boolean {
    const { every = 1, nth, probability = 1 } = this.rule;
    if (match % every !== 0) return false;
    if (nth !== undefined && !(typeof nth === 'number' ? nth === match : nth.includes(match))) return false;
    return probability === 1 || faultChance(this.#seed, this.index, match, 'strike') < probability;
  }
}

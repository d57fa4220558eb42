import {
  unchecked,
  aText,
  custom,
  isJsonObject,
  optional,
  type OptionRules,
  readOptions,
  refuseOption,
} from '@art/ground';
import { checkFault } from './check-fault.ts';
import type { FaultPlan, FaultRule } from './fault-plan.ts';
import {
  type FaultMatch,
  type FaultOperation,
  faultOperations,
  isS3Operation,
  operationsOf,
} from './fault-target.ts';
import { aWholeNumber, isRange, isWhole, oneOrMore, shownRule } from './plan-rules.ts';

const planRules = {
  seed: custom<number>('a whole number, which makes the run repeatable', Number.isSafeInteger),
  rules: custom<unknown[]>('a list of rules', Array.isArray),
} satisfies OptionRules<FaultPlan, 'rules'>;

const ruleRules = {
  name: optional(aText),
  when: checkMatch,
  fault: unchecked<unknown>(),
  probability: optional(
    custom<number>(
      'a number above 0, at most 1',
      (given) => typeof given === 'number' && given > 0 && given <= 1,
    ),
  ),
  every: optional(aWholeNumber(1)),
  nth: optional(oneOrMore<number>('a whole number from 1', (given) => isWhole(given) && given > 0)),
  burst: optional(aWholeNumber(1)),
  count: optional(aWholeNumber(1)),
  betweenMs: optional(
    shownRule<readonly [number, number]>('[from, to] in milliseconds since the plan was set', (given) =>
      isRange(given),
    ),
  ),
} satisfies OptionRules<FaultRule, 'fault'>;

const matchRules = {
  operation: oneOrMore<FaultOperation>(`one of ${faultOperations.join(', ')}`, (given) =>
    faultOperations.some((known) => known === given),
  ),
  agent: optional(aText),
  session: optional(
    custom<number | string>(
      'a number from 0, or a session id in which * stands for any text',
      (given) => isWhole(given) || (typeof given === 'string' && /^[\w*-]+$/.test(given)),
    ),
  ),
  keyPrefix: optional(aText),
} satisfies OptionRules<FaultMatch>;

/**
 * Checks a plan, whether it was written in code or read from a file, and gives back a copy of it.
 * @param path what the plan is called in messages
 * @throws ArtError `ART_INVALID_OPTION`, naming the field, what was expected and what came; unknown names are refused.
 */
export function checkFaultPlan(value: unknown, path = 'faults'): FaultPlan {
  if (!isJsonObject(value)) refuseOption(path, 'an object with seed and rules', value);
  const { seed, rules } = readOptions(path, value, planRules, `${path}.`);
  return { seed, rules: rules.map((rule, index) => checkRule(rule, `${path}.rules[${index}]`)) };
}

function checkRule(value: unknown, path: string): FaultRule {
  if (!isJsonObject(value)) refuseOption(path, 'an object with when and fault', value);
  const rule = readOptions(path, value, ruleRules, `${path}.`);
  return { ...rule, fault: checkFault(rule.fault, `${path}.fault`, operationsOf(rule.when)) };
}

function checkMatch(value: unknown, path: string): FaultMatch {
  if (!isJsonObject(value)) refuseOption(path, 'an object with an operation', value);
  const when = readOptions(path, value, matchRules, `${path}.`);
  const asked = operationsOf(when);
  if (when.keyPrefix !== undefined && !asked.every(isS3Operation)) {
    refuseOption(`${path}.keyPrefix`, 'left out where an operation is not one of S3', when.keyPrefix);
  }
  return { ...when, operation: faultOperations.filter((known) => asked.includes(known)) };
}

import { refuseOption } from '@art/protocol';
import { checkFault } from './check-fault.ts';
import { checkFields, fieldsOf } from './check-fields.ts';
import type { FaultPlan, FaultRule } from './fault-plan.ts';
import { type FaultMatch, faultOperations, isS3Operation, operationsOf } from './fault-target.ts';
import {
  anything,
  choice,
  type FieldRule,
  isInteger,
  isRange,
  listOf,
  oneOrMore,
  required,
  text,
  wholeNumber,
} from './field-rule.ts';

const planFields: Record<keyof FaultPlan, FieldRule> = {
  seed: required({
    expected: 'a whole number, which makes the run repeatable',
    holds: (value) => Number.isSafeInteger(value),
  }),
  rules: required({ expected: 'a list of rules', holds: Array.isArray }),
};

const ruleFields: Record<keyof FaultRule, FieldRule> = {
  name: text,
  when: anything,
  fault: anything,
  probability: {
    expected: 'a number above 0, at most 1',
    holds: (value) => typeof value === 'number' && value > 0 && value <= 1,
  },
  every: wholeNumber(1),
  nth: oneOrMore(wholeNumber(1)),
  burst: wholeNumber(1),
  count: wholeNumber(1),
  betweenMs: {
    expected: '[from, to] in milliseconds since the plan was set',
    holds: (value) => isRange(value),
  },
};

const matchFields: Record<keyof FaultMatch, FieldRule> = {
  operation: required(oneOrMore(choice(faultOperations))),
  agent: text,
  session: {
    expected: 'a number from 0, or a session id in which * stands for any text',
    holds: (value) => isInteger(value, 0) || (typeof value === 'string' && /^[\w*-]+$/.test(value)),
  },
  keyPrefix: text,
};

/**
 * Checks a plan, whether it was written in code or read from a file, and gives back a copy of it.
 * @param path what the plan is called in messages
 * @throws ArtError `ART_INVALID_OPTION`, naming the field, what was expected and what came; unknown names are refused.
 */
export function checkFaultPlan(value: unknown, path = 'faults'): FaultPlan {
  const plan = fieldsOf(value, path, 'an object with seed and rules');
  checkFields(plan, path, planFields);
  const { seed, rules } = plan as unknown as FaultPlan;
  return { seed, rules: rules.map((rule, index) => checkRule(rule, `${path}.rules[${index}]`)) };
}

function checkRule(value: unknown, path: string): FaultRule {
  const rule = fieldsOf(value, path, 'an object with when and fault');
  const when = checkMatch(rule['when'], `${path}.when`);
  const fault = checkFault(rule['fault'], `${path}.fault`, operationsOf(when));
  checkFields(rule, path, ruleFields);
  return { ...rule, when, fault };
}

function checkMatch(value: unknown, path: string): FaultMatch {
  const when = fieldsOf(value, path, 'an object with an operation');
  checkFields(when, path, matchFields);
  const asked = listOf(when['operation']);
  const operation = faultOperations.filter((known) => asked.includes(known));
  if (when['keyPrefix'] !== undefined && !operation.every(isS3Operation)) {
    refuseOption(`${path}.keyPrefix`, 'left out where an operation is not one of S3', when['keyPrefix']);
  }
  return { ...when, operation };
}

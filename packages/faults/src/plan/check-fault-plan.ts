import { refuseOption } from '@art/protocol';
import { checkFault } from './check-fault.ts';
import type { FaultPlan, FaultRule } from './fault-plan.ts';
import { type FaultMatch, faultOperations, isS3Operation, operationsOf } from './fault-target.ts';
import { isInteger, isRange, oneOf, PlanFields } from './plan-fields.ts';

/**
 * Checks a plan, whether it was written in code or read from a file, and gives back a copy of it.
 * @param path what the plan is called in messages
 * @throws ArtError `ART_INVALID_OPTION`, naming the field, what was expected and what came; unknown names are refused.
 */
export function checkFaultPlan(value: unknown, path = 'faults'): FaultPlan {
  const fields: PlanFields = new PlanFields(value, path, 'an object with seed and rules');
  const seed = fields.integer('seed', Number.MIN_SAFE_INTEGER);
  if (seed === undefined) {
    fields.refuse('seed', 'a whole number, which makes the run repeatable', undefined);
  }
  const rules = fields.take('rules');
  if (!Array.isArray(rules)) fields.refuse('rules', 'a list of rules', rules);
  fields.end();
  return { seed, rules: rules.map((rule, index) => checkRule(rule, `${path}.rules[${index}]`)) };
}

function checkRule(value: unknown, path: string): FaultRule {
  const fields: PlanFields = new PlanFields(value, path, 'an object with when and fault');
  const name = fields.text('name');
  const when = checkMatch(fields.take('when'), `${path}.when`);
  const rule: FaultRule = {
    name,
    when,
    fault: checkFault(fields.take('fault'), `${path}.fault`, operationsOf(when)),
    probability: probabilityOf(fields),
    every: fields.integer('every', 1),
    nth: nthOf(fields),
    burst: fields.integer('burst', 1),
    count: fields.integer('count', 1),
    betweenMs: windowOf(fields),
  };
  fields.end();
  return rule;
}

function checkMatch(value: unknown, path: string): FaultMatch {
  const fields: PlanFields = new PlanFields(value, path, 'an object with an operation');
  const operation = fields.take('operation');
  const asked: unknown[] = Array.isArray(operation) ? operation : [operation];
  const operations = faultOperations.filter((known) => asked.includes(known));
  if (asked.length === 0 || asked.some((one) => !faultOperations.some((known) => known === one))) {
    fields.refuse('operation', `${oneOf(faultOperations)}, or a list of them`, operation);
  }
  const when: FaultMatch = {
    operation: operations,
    agent: fields.text('agent'),
    session: sessionOf(fields),
    keyPrefix: fields.text('keyPrefix'),
  };
  fields.end();
  if (when.keyPrefix !== undefined && !operations.every(isS3Operation)) {
    refuseOption(`${path}.keyPrefix`, 'left out where an operation is not one of S3', when.keyPrefix);
  }
  return when;
}

function sessionOf(fields: PlanFields): number | string | undefined {
  const session = fields.take('session');
  const isPattern = typeof session === 'string' && /^[\w*-]+$/.test(session);
  if (session === undefined || isPattern || isInteger(session, 0, Number.MAX_SAFE_INTEGER)) return session;
  fields.refuse('session', 'a number from 0, or a session id in which * stands for any text', session);
}

function probabilityOf(fields: PlanFields): number | undefined {
  const probability = fields.take('probability');
  if (probability === undefined) return undefined;
  if (typeof probability === 'number' && probability > 0 && probability <= 1) return probability;
  fields.refuse('probability', 'a number above 0, at most 1', probability);
}

function nthOf(fields: PlanFields): number | readonly number[] | undefined {
  const nth = fields.take('nth');
  const numbers: unknown[] = Array.isArray(nth) ? nth : [nth];
  const isList = numbers.length > 0 && numbers.every((one) => isInteger(one, 1, Number.MAX_SAFE_INTEGER));
  if (nth === undefined || isList) return nth as number | readonly number[] | undefined;
  fields.refuse('nth', 'a whole number from 1, or a list of them', nth);
}

function windowOf(fields: PlanFields): readonly [number, number] | undefined {
  const window = fields.take('betweenMs');
  if (window === undefined || isRange(window)) return window;
  fields.refuse('betweenMs', '[from, to] in milliseconds since the plan was set', window);
}

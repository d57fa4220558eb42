import { aText, isJsonObject, optional, type OptionRule, readOptions, refuseOption } from '@art/ground';
import { type Fault, type FaultKind, faultsByOperation, operationsWithoutAfter } from './fault.ts';
import { type FaultOperation, isS3Operation } from './fault-target.ts';
import { dataPlaneFaultStatuses } from './injected-service-fault.ts';
import { s3FaultStatuses } from './injected-s3-error.ts';
import { aChoice, aDuration, aWholeNumber } from './plan-rules.ts';

const mostCopies = 100;

/** A rule for every field of each kind of fault. */
type FaultRules = {
  [Kind in FaultKind]: Record<Exclude<keyof Extract<Fault, { kind: Kind }>, 'kind'>, OptionRule<unknown>>;
};

/**
 * Checks what is to go wrong with the requests of `operations`, and gives back a copy of it.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function checkFault(value: unknown, path: string, operations: readonly FaultOperation[]): Fault {
  if (!isJsonObject(value)) refuseOption(path, 'an object with a kind', value);
  const ofAll = `for ${operations.join(' and ')} `;
  const kinds = commonTo(operations.map((operation) => faultsByOperation[operation]));
  const aKind = aChoice(kinds, ofAll);
  const kind = aKind(value['kind'], `${path}.kind`);

  const statuses = commonTo(
    operations.map((operation) => (isS3Operation(operation) ? s3FaultStatuses : dataPlaneFaultStatuses)),
  );
  const hasAfter = !operations.some((operation) => operationsWithoutAfter.includes(operation));
  const moment = optional(aChoice(hasAfter ? ['before', 'after'] : ['before']));
  const isTimed = operations.every(
    (operation) => operation === 'start' || (operation === 'invoke' && value['moment'] !== 'before'),
  );
  const rules: FaultRules = {
    kill: {
      moment: operations.includes('start') ? isLeftOut : moment,
      afterMs: isTimed ? optional(aDuration) : isLeftOut,
    },
    drop: { moment },
    reset: { moment },
    delay: { ms: aDuration, moment },
    duplicate: { copies: optional(aWholeNumber(1, mostCopies)) },
    error: {
      status: aChoice(statuses, ofAll),
      retryAfterMs: optional(aWholeNumber(0)),
      message: optional(aText),
      moment,
    },
    hide_from_lists: { forMs: aDuration },
    hide_from_reads: { forMs: aDuration },
    forget: { afterMs: optional(aDuration) },
    slow_body: { bytesPerSecond: aWholeNumber(1) },
    lose_pings: { forMs: optional(aDuration) },
  };
  return readOptions(path, value, { kind: aKind, ...rules[kind] }, `${path}.`) as unknown as Fault;
}

/** For a field that says nothing for these operations, or at this moment. */
function isLeftOut(given: unknown, option: string): undefined {
  if (given !== undefined) refuseOption(option, 'left out here', given);
}

function commonTo<Value>(lists: readonly (readonly Value[])[]): Value[] {
  const [first = [], ...others] = lists;
  return first.filter((value) => others.every((list) => list.includes(value)));
}

import { checkField, checkFields, fieldsOf } from './check-fields.ts';
import { type Fault, type FaultKind, faultsByOperation, operationsWithoutAfter } from './fault.ts';
import { type FaultOperation, isS3Operation } from './fault-target.ts';
import { choice, duration, type FieldRule, required, text, wholeNumber } from './field-rule.ts';
import { dataPlaneFaultStatuses } from './injected-service-fault.ts';
import { s3FaultStatuses } from './injected-s3-error.ts';

const mostCopies = 100;

/**
 * Checks what is to go wrong with the requests of `operations`, and gives back a copy of it.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function checkFault(value: unknown, path: string, operations: readonly FaultOperation[]): Fault {
  const fault = fieldsOf(value, path, 'an object with a kind');
  const ofAll = `for ${operations.join(' and ')} `;
  const kinds = commonTo(operations.map((operation) => faultsByOperation[operation]));
  const kind = required(choice(kinds, ofAll));
  checkField(fault, path, 'kind', kind);

  const statuses = commonTo(
    operations.map((operation) => (isS3Operation(operation) ? s3FaultStatuses : dataPlaneFaultStatuses)),
  );
  const hasAfter = !operations.some((operation) => operationsWithoutAfter.includes(operation));
  const moment = choice(hasAfter ? ['before', 'after'] : ['before']);
  const isTimed = operations.every(
    (operation) => operation === 'start' || (operation === 'invoke' && fault['moment'] !== 'before'),
  );
  const fields: Record<FaultKind, Record<string, FieldRule>> = {
    kill: { ...(!operations.includes('start') && { moment }), ...(isTimed && { afterMs: duration }) },
    drop: { moment },
    reset: { moment },
    delay: { ms: required(duration), moment },
    duplicate: { copies: wholeNumber(1, mostCopies) },
    error: {
      status: required(choice(statuses, ofAll)),
      retryAfterMs: wholeNumber(0),
      message: text,
      moment,
    },
    hide_from_lists: { forMs: required(duration) },
    hide_from_reads: { forMs: required(duration) },
    forget: { afterMs: duration },
    slow_body: { bytesPerSecond: required(wholeNumber(1)) },
    lose_pings: { forMs: duration },
  };
  checkFields(fault, path, { kind, ...fields[fault['kind'] as FaultKind] });
  return fault as unknown as Fault;
}

function commonTo<Value>(lists: readonly (readonly Value[])[]): Value[] {
  const [first = [], ...others] = lists;
  return first.filter((value) => others.every((list) => list.includes(value)));
}

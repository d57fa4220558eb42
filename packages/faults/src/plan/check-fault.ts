import {
  type Fault,
  type FaultDuration,
  type FaultKind,
  type FaultMoment,
  faultsByOperation,
  operationsWithoutAfter,
} from './fault.ts';
import { type FaultOperation, isS3Operation } from './fault-target.ts';
import { dataPlaneFaultStatuses } from './injected-service-fault.ts';
import { s3FaultStatuses } from './injected-s3-error.ts';
import { oneOf, PlanFields } from './plan-fields.ts';

const moments: readonly FaultMoment[] = ['before', 'after'];
const mostCopies = 100;

/**
 * Checks what is to go wrong with the requests of `operations`.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function checkFault(value: unknown, path: string, operations: readonly FaultOperation[]): Fault {
  const fields: PlanFields = new PlanFields(value, path, 'an object with a kind');
  const possible = faultsByOperation[operations[0]!].filter((kind) =>
    operations.every((operation) => faultsByOperation[operation].includes(kind)),
  );
  const kind = fields.take('kind');
  const known = possible.find((candidate) => candidate === kind);
  if (known === undefined) {
    fields.refuse('kind', `for ${operations.join(' and ')} ${oneOf(possible)}`, kind);
  }
  const fault = readFault(known, fields, operations);
  fields.end();
  return fault;
}

function readFault(kind: FaultKind, fields: PlanFields, operations: readonly FaultOperation[]): Fault {
  switch (kind) {
    case 'kill':
      return readKill(fields, operations);
    case 'drop':
    case 'reset':
      return { kind, moment: momentOf(fields, operations) };
    case 'delay':
      return { kind, ms: required(fields, 'ms'), moment: momentOf(fields, operations) };
    case 'duplicate':
      return { kind, copies: fields.integer('copies', 1, mostCopies) };
    case 'error':
      return {
        kind,
        status: statusOf(fields, operations),
        retryAfterMs: fields.integer('retryAfterMs', 0),
        message: fields.text('message'),
        moment: momentOf(fields, operations),
      };
    case 'hide_from_lists':
    case 'hide_from_reads':
      return { kind, forMs: required(fields, 'forMs') };
    case 'forget':
      return { kind, afterMs: fields.duration('afterMs') };
    case 'slow_body': {
      const bytesPerSecond = fields.integer('bytesPerSecond', 1);
      if (bytesPerSecond === undefined) fields.refuse('bytesPerSecond', 'a whole number', undefined);
      return { kind, bytesPerSecond };
    }
    case 'lose_pings':
      return { kind, forMs: fields.duration('forMs') };
  }
}

function readKill(fields: PlanFields, operations: readonly FaultOperation[]): Fault {
  const moment = operations.includes('start') ? undefined : fields.choice('moment', moments);
  const isTimed = operations.every(
    (operation) => operation === 'start' || (operation === 'invoke' && moment !== 'before'),
  );
  return { kind: 'kill', moment, afterMs: isTimed ? fields.duration('afterMs') : undefined };
}

function momentOf(fields: PlanFields, operations: readonly FaultOperation[]): FaultMoment | undefined {
  const hasAfter = !operations.some((operation) => operationsWithoutAfter.includes(operation));
  return fields.choice('moment', hasAfter ? moments : ['before']);
}

function required(fields: PlanFields, name: string): FaultDuration {
  const duration = fields.duration(name);
  if (duration !== undefined) return duration;
  fields.refuse(name, 'milliseconds as a whole number, or [least, most]', undefined);
}

function statusOf(fields: PlanFields, operations: readonly FaultOperation[]): number {
  const possible = [...new Set([...dataPlaneFaultStatuses, ...s3FaultStatuses])]
    .filter((status) =>
      operations.every((operation) =>
        (isS3Operation(operation) ? s3FaultStatuses : dataPlaneFaultStatuses).includes(status),
      ),
    )
    .toSorted((left, right) => left - right);
  const status = fields.take('status');
  const known = possible.find((candidate) => candidate === status);
  if (known !== undefined) return known;
  fields.refuse('status', `for ${operations.join(' and ')} ${oneOf(possible)}`, status);
}

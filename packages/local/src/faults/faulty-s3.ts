import type { LocalClock } from '../clock.ts';
import { observedBackend } from '../s3/backend/observed-backend.ts';
import type { ObjectAddress } from '../s3/backend/object-backend.ts';
import type { S3Call, S3Reply } from '../s3/s3-call.ts';
import { S3Error } from '../s3/s3-error.ts';
import type { S3Interceptor } from '../s3/s3-interceptor.ts';
import type { S3Settings } from '../s3/s3-settings.ts';
import type { EndpointLog } from '../service/endpoint-log.ts';
import { sessionIdOfKey } from '../session/session-of-key.ts';
import type { SessionTable } from '../session/session-table.ts';
import type { FaultInjector } from './fault-injector.ts';
import { HiddenKeys } from './hidden-keys.ts';
import { partialListingBackend } from './partial-listing-backend.ts';
import { s3FaultInterceptor } from './s3-fault-interceptor.ts';
import type { SessionNumbers } from './session-numbers.ts';

export interface FaultyS3Init {
  settings: S3Settings;
  injector: FaultInjector;
  numbers: SessionNumbers;
  table: SessionTable;
  log: EndpointLog;
  clock: LocalClock;
}

export interface FaultyS3 {
  settings: S3Settings;
  intercept: S3Interceptor;
  /** Shows every object again that a fault has hidden. */
  reset(): void;
}

/** The S3 endpoint of a runtime: whatever is written is noted in the endpoint's log, and faults may happen to it. */
export function faultyS3({ settings, injector, numbers, table, log, clock }: FaultyS3Init): FaultyS3 {
  const unlisted = new HiddenKeys(clock);
  const unreadable = new HiddenKeys(clock);
  const observed = observedBackend(settings.backend, {
    onWrite: ({ at, condition, outcome, etag, sizeBytes }) => {
      // A condition is judged before the body is asked for as well; one place tells of both.
      if (outcome !== 'done' && outcome !== 'failed') return;
      log.add({
        kind: 's3_write',
        ...whoseObject(at),
        ifAbsent: condition === 'absent',
        outcome: outcome === 'done' ? 'stored' : 'failed',
        etag,
        sizeBytes,
      });
    },
    onDelete: ({ at: { bucket, key }, outcome }) =>
      log.add({
        kind: 's3_delete',
        bucket,
        key,
        outcome: outcome === 'done' ? 'deleted' : outcome === 'failed' ? 'failed' : 'refused',
      }),
  });
  const sessionOfKey = (key: string): ReturnType<SessionTable['find']> => {
    const sessionId = sessionIdOfKey(key);
    return sessionId === undefined ? undefined : table.find(sessionId);
  };
  const intercept = s3FaultInterceptor({
    faults: injector,
    unlisted,
    unreadable,
    ownerOf: (key) => {
      const sessionId = sessionIdOfKey(key);
      const agent = sessionOfKey(key)?.agent.name;
      if (sessionId === undefined || agent === undefined) return { sessionId };
      return { sessionId, agent, sessionNumber: numbers.find(agent, sessionId) };
    },
    killOwner: (key) => sessionOfKey(key)?.kill() ?? false,
    onForgotten: (at) =>
      log.add({ kind: 's3_write', ...whoseObject(at), ifAbsent: false, outcome: 'forgotten' }),
  });
  return {
    settings: { ...settings, backend: partialListingBackend(observed, unlisted) },
    intercept: (call, operate) => intercept(call, (struck) => noteRefusal(struck, operate, log)),
    reset: () => {
      unlisted.clear();
      unreadable.clear();
    },
  };
}

function whoseObject({ bucket, key }: ObjectAddress): {
  bucket: string;
  key: string;
  sessionId: string | undefined;
} {
  return { bucket, key, sessionId: sessionIdOfKey(key) };
}

async function noteRefusal(
  call: S3Call,
  operate: (call: S3Call) => Promise<S3Reply>,
  log: EndpointLog,
): Promise<S3Reply> {
  try {
    return await operate(call);
  } catch (error) {
    const isCondition = error instanceof S3Error && error.statusCode === 412;
    if (isCondition && call.method === 'PUT' && call.address.kind === 'object') {
      log.add({
        kind: 's3_write',
        ...whoseObject(call.address),
        ifAbsent: call.headers['if-none-match'] !== undefined,
        outcome: 'refused',
      });
    }
    throw error;
  }
}

import { observedBackend } from '../s3/backend/observed-backend.ts';
import { type S3Call, type S3Settings } from '../s3/operations/s3-call.ts';
import { S3Error } from '../s3/wire/s3-error.ts';
import { isSessionId } from '@art/protocol';
import type { EndpointLog } from '../service/endpoint-log.ts';

/** An S3 endpoint whose writes and deletions are noted in the runtime's log. */
export function observedS3(settings: S3Settings, log: EndpointLog): S3Settings {
  const backend = observedBackend(settings.backend, {
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
  return {
    ...settings,
    backend,
    intercept: async (call, operate) => {
      try {
        return await settings.intercept(call, operate);
      } catch (error) {
        noteRefusal(error, call, log);
        throw error;
      }
    },
  };
}

function noteRefusal(error: unknown, { operation, at, headers }: S3Call, log: EndpointLog): void {
  const isCondition = error instanceof S3Error && error.statusCode === 412;
  if (!isCondition || operation !== 'PutObject') return;
  log.add({
    kind: 's3_write',
    ...whoseObject(at),
    ifAbsent: headers['if-none-match'] !== undefined,
    outcome: 'refused',
  });
}

function whoseObject({ bucket, key }: { bucket: string; key: string }): {
  bucket: string;
  key: string;
  sessionId: string | undefined;
} {
  return { bucket, key, sessionId: sessionIdOfKey(key) };
}

/** The session whose result a key is for, by its last part: `{exp_id}/{input_id}/{session_id}.json`. */
export function sessionIdOfKey(key: string): string | undefined {
  const name = key.slice(key.lastIndexOf('/') + 1);
  const sessionId = name.endsWith('.json') ? name.slice(0, -'.json'.length) : name;
  return isSessionId(sessionId) ? sessionId : undefined;
}

import diagnostics from 'node:diagnostics_channel';
import type { SnapshotRecord } from './snapshot-record.ts';

const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] as const;
/** Keys that a local runtime or the doctor has made up; others are good, and stay. */
const invented = ['local', 'doctor'];
const lifeMs = 3_600_000;

/**
 * Lets the credentials of the environment be expired after the restore, and new ones stand there, as a provider finds that asks when it is used.
 * Keys that somebody has really given keep their value, so that calls to AWS still work; only their time ends.
 */
export function playCredentials(record: SnapshotRecord, movedMs: number): () => void {
  const key = process.env['AWS_ACCESS_KEY_ID'];
  if (key === undefined) return () => undefined;
  const isInvented = invented.includes(key);
  // The time of the restore, at which services and SDKs take them for expired.
  process.env['AWS_CREDENTIAL_EXPIRATION'] = new Date(Date.now() + movedMs).toISOString();
  const reads = record.isWanted ? watchReads(record) : () => undefined;
  const old = `Credential=${key}/`;
  const watchUse = (message: unknown): void => {
    const { request } = message as { request: { getHeader?: (name: string) => unknown; headers?: unknown } };
    const signed =
      typeof request.getHeader === 'function' ? request.getHeader('authorization') : String(request.headers);
    if (String(signed).includes(old)) record.note({ kind: 'credential', name: 'used' });
  };
  return () => {
    reads();
    process.env['AWS_CREDENTIAL_EXPIRATION'] = new Date(Date.now() + lifeMs).toISOString();
    if (!isInvented) return;
    process.env['AWS_ACCESS_KEY_ID'] = `${key}-renewed`;
    if (record.isWanted)
      for (const channel of ['http.client.request.start', 'undici:request:create'])
        diagnostics.subscribe(channel, watchUse);
  };
}

/** Tells who reads them; they are read from `process.env`, which takes no getters. */
function watchReads(record: SnapshotRecord): () => void {
  const { env } = process;
  process.env = new Proxy(env, {
    get(target, name) {
      if (names.some((one) => one === name)) record.note({ kind: 'credential', name: 'read' });
      return Reflect.get(target, name) as unknown;
    },
  });
  return () => {
    process.env = env;
  };
}

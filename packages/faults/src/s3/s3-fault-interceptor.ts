import { Readable } from 'node:stream';
import { pause } from '@art/async';
import {
  ConnectionFault,
  noSuchKey,
  type ObjectAddress,
  type ObjectBackend,
  type S3Call,
  type S3Interceptor,
  type S3Reply,
} from '@art/local-s3';
import { forgetfulBackend } from './faulty-backends.ts';
import type { FaultInjector } from '../strike/fault-injector.ts';
import type { FaultTarget, S3FaultOperation } from '../plan/fault-target.ts';
import type { HiddenKeys } from './hidden-keys.ts';
import { injectedS3Error } from '../plan/injected-s3-error.ts';
import { slowStream } from './slow-stream.ts';
import type { StruckFault } from '../strike/injected-fault.ts';

export interface S3FaultContext {
  faults: FaultInjector;
  /** Keys that lists leave out; the backend reads them. */
  unlisted: HiddenKeys;
  unreadable: HiddenKeys;
  /** Session, agent and number that a key belongs to, as far as they are known. */
  ownerOf(key: string): Pick<FaultTarget, 'agent' | 'sessionId' | 'sessionNumber'>;
  /** SIGKILL; `false` where the session has no process. */
  killOwner(key: string): boolean;
  /** A PUT was answered with 200 and its object is not there. */
  onForgotten(at: ObjectAddress): void;
}

type Operate = (call: S3Call) => Promise<S3Reply>;

/** Lets the faults of the plan happen to S3 requests. */
export function s3FaultInterceptor(context: S3FaultContext): S3Interceptor {
  return async (call, operate) => {
    if (context.faults.isIdle && context.unreadable.isEmpty) return operate(call);
    const target = s3FaultOperationOf(call);
    if (target === undefined) return operate(call);
    const owner = target.key === undefined ? {} : context.ownerOf(target.key);
    const struck = context.faults.strike({ ...target, ...owner });
    const at = { bucket: target.bucket, key: target.key ?? '' };
    const isRead = target.operation === 's3_get' || target.operation === 's3_head';
    const judged: Operate = async (request) => {
      if (isRead && context.unreadable.has(at)) throw noSuchKey(at.key);
      return operate(request);
    };
    if (struck === undefined) return judged(call);
    const outcome = strikeRequest(struck, context, call, at, judged);
    return outcome.catch((error: unknown) => {
      struck.settle('missed');
      throw error;
    });
  };
}

async function strikeRequest(
  struck: StruckFault,
  context: S3FaultContext,
  call: S3Call,
  at: ObjectAddress,
  operate: Operate,
): Promise<S3Reply> {
  const { fault, durationMs } = struck;
  switch (fault.kind) {
    case 'forget':
      return durationMs === 0
        ? forgetAtOnce(struck, context, call, at, operate)
        : forgetLater(struck, context, call, at, operate);
    case 'hide_from_lists':
      return hidden(struck, context.unlisted, at, () => operate(call));
    case 'hide_from_reads':
      return hidden(struck, context.unreadable, at, () => operate(call));
    case 'slow_body':
      struck.settle('done');
      return slow(fault.bytesPerSecond, call, operate);
    default:
      return strikeAround(struck, context, call, at, operate);
  }
}

async function strikeAround(
  struck: StruckFault,
  context: S3FaultContext,
  call: S3Call,
  at: ObjectAddress,
  operate: Operate,
): Promise<S3Reply> {
  if (struck.moment === 'before') {
    await interrupt(struck, context, call, at);
    return operate(call);
  }
  const reply = await operate(call);
  try {
    await interrupt(struck, context, call, at);
    return reply;
  } catch (error) {
    if (reply.body instanceof Readable) reply.body.destroy();
    throw error;
  }
}

/** What can happen on either side of the operation. Returns only where the request goes on. */
async function interrupt(
  struck: StruckFault,
  context: S3FaultContext,
  call: S3Call,
  at: ObjectAddress,
): Promise<void> {
  const { fault, durationMs } = struck;
  switch (fault.kind) {
    case 'kill':
      struck.settle(context.killOwner(at.key) ? 'done' : 'missed');
      throw new ConnectionFault('reset');
    case 'drop':
      struck.settle('done');
      throw new ConnectionFault('silence');
    case 'reset':
      struck.settle('done');
      throw new ConnectionFault('reset');
    case 'error':
      struck.settle('done');
      throw injectedS3Error(fault);
    case 'delay':
      struck.settle('done');
      await pause(durationMs, { signal: AbortSignal.any([call.signal, struck.signal]) }).catch(() => {});
      return;
    default:
  }
}

// Hidden before it is stored: nobody may see it in between.
async function hidden(
  struck: StruckFault,
  keys: HiddenKeys,
  at: ObjectAddress,
  operate: () => Promise<S3Reply>,
): Promise<S3Reply> {
  keys.hide(at, Number.POSITIVE_INFINITY);
  try {
    const reply = await operate();
    keys.hide(at, struck.durationMs);
    struck.settle('done');
    return reply;
  } catch (error) {
    keys.show(at);
    throw error;
  }
}

async function forgetAtOnce(
  struck: StruckFault,
  context: S3FaultContext,
  call: S3Call,
  at: ObjectAddress,
  operate: Operate,
): Promise<S3Reply> {
  const settings = { ...call.settings, backend: forgetfulBackend(call.settings.backend) };
  const reply = await operate({ ...call, settings });
  context.onForgotten(at);
  struck.settle('done');
  return reply;
}

async function forgetLater(
  struck: StruckFault,
  context: S3FaultContext,
  call: S3Call,
  at: ObjectAddress,
  operate: Operate,
): Promise<S3Reply> {
  const reply = await operate(call);
  const etag = (reply.headers?.['etag'] ?? '').replaceAll('"', '');
  void forgetAfterPause(struck, call.settings.backend, at, etag).then((isForgotten) => {
    struck.settle(isForgotten ? 'done' : 'missed');
    if (isForgotten) context.onForgotten(at);
  });
  return reply;
}

async function forgetAfterPause(
  struck: StruckFault,
  backend: ObjectBackend,
  at: ObjectAddress,
  etag: string,
): Promise<boolean> {
  try {
    await pause(struck.durationMs, { signal: struck.signal });
    // Only what this request stored: another may have overwritten it since.
    return (await backend.delete(at, { kind: 'matches', etag })).kind === 'done';
  } catch {
    // The plan was replaced, or the backend cannot delete, as one over a result store.
    return false;
  }
}

async function slow(bytesPerSecond: number, call: S3Call, operate: Operate): Promise<S3Reply> {
  if (call.method === 'PUT') {
    return operate({ ...call, body: slowStream(call.body, bytesPerSecond, call.signal) });
  }
  const reply = await operate(call);
  return reply.body === undefined
    ? reply
    : { ...reply, body: slowStream(reply.body, bytesPerSecond, call.signal) };
}

/** Which operation of a plan an S3 request is, and what it is about; undefined for those that no plan can name. */
function s3FaultOperationOf(
  call: S3Call,
): { operation: S3FaultOperation; bucket: string; key: string | undefined } | undefined {
  const { address, method, query } = call;
  if (address.kind === 'service') return undefined;
  if (address.kind === 'bucket') {
    const { bucket } = address;
    if (method === 'GET' && !query.has('location')) {
      return { operation: 's3_list', bucket, key: query.get('prefix') ?? '' };
    }
    return method === 'POST' && query.has('delete')
      ? { operation: 's3_delete', bucket, key: undefined }
      : undefined;
  }
  const { bucket, key } = address;
  switch (method) {
    case 'PUT':
      return { operation: 's3_put', bucket, key };
    case 'GET':
      return { operation: 's3_get', bucket, key };
    case 'HEAD':
      return { operation: 's3_head', bucket, key };
    case 'DELETE':
      return { operation: 's3_delete', bucket, key };
    default:
      return undefined;
  }
}

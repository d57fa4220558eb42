import { Readable } from 'node:stream';
import { type Clock, pause } from '@art/ground';
import type { FaultyRuntime } from '../../session/runtime-faults.ts';
import { ConnectionFault } from '../../s3/endpoint/register-s3-endpoint.ts';
import { noSuchKey } from '../../s3/wire/s3-error.ts';
import { type ObjectBackend } from '../../s3/backend/object-backend.ts';
import { type S3Call, type S3Reply, type S3Settings } from '../../s3/operations/s3-call.ts';
import { type S3OperationName } from '../../s3/operations/s3-operation-name.ts';
import type { S3FaultOperation } from '../plan/fault-target.ts';
import { injectedS3Error } from '../plan/injected-s3-error.ts';
import type { FaultInjector } from '../strike/fault-injector.ts';
import type { StruckFault } from '../strike/injected-fault.ts';
import { interrupt } from '../strike/interrupt.ts';
import type { SessionNumbers } from '../strike/session-numbers.ts';
import { forgetfulBackend, partialListingBackend } from './faulty-backends.ts';
import { HiddenKeys } from './hidden-keys.ts';
import { slowStream } from './slow-stream.ts';

type Operate = (call: S3Call) => Promise<S3Reply>;

/** Names of the operations of S3 in a plan; it cannot name the others. */
const planOperations: Partial<Record<S3OperationName, S3FaultOperation>> = {
  PutObject: 's3_put',
  GetObject: 's3_get',
  HeadObject: 's3_head',
  ListObjects: 's3_list',
  ListObjectsV2: 's3_list',
  DeleteObject: 's3_delete',
  DeleteObjects: 's3_delete',
};

/** Lets the faults of a plan happen to S3 requests. */
export class S3Faults {
  readonly #injector: FaultInjector;
  readonly #runtime: FaultyRuntime;
  readonly #numbers: SessionNumbers;
  readonly #unlisted: HiddenKeys;
  readonly #unreadable: HiddenKeys;

  constructor(injector: FaultInjector, runtime: FaultyRuntime, numbers: SessionNumbers) {
    this.#injector = injector;
    this.#runtime = runtime;
    this.#numbers = numbers;
    this.#unlisted = new HiddenKeys(runtime.clock);
    this.#unreadable = new HiddenKeys(runtime.clock);
  }

  /** The settings of an endpoint that meets the faults. */
  around(settings: S3Settings): S3Settings {
    return {
      ...settings,
      backend: partialListingBackend(settings.backend, this.#unlisted),
      intercept: (call, operate) => this.#intercept(call, (struck) => settings.intercept(struck, operate)),
    };
  }

  /** Objects that are hidden show again. */
  showAll(): void {
    this.#unlisted.clear();
    this.#unreadable.clear();
  }

  async #intercept(call: S3Call, operate: Operate): Promise<S3Reply> {
    if (this.#injector.isIdle && this.#unreadable.isEmpty) return operate(call);
    const operation = call.operation && planOperations[call.operation];
    if (operation === undefined) return operate(call);
    const isRead = operation === 's3_get' || operation === 's3_head';
    const judged: Operate = async (request) => {
      if (isRead && this.#unreadable.has(request.at)) throw noSuchKey(request.at.key);
      return operate(request);
    };
    const struck = this.#strike(operation, call);
    if (struck === undefined) return judged(call);
    try {
      return await this.#let(struck, call, judged);
    } catch (error) {
      // Whatever was to follow has nothing to follow any more.
      struck.settle('missed');
      throw error;
    }
  }

  #strike(operation: S3FaultOperation, { operation: name, at, query }: S3Call): StruckFault | undefined {
    const { bucket } = at;
    const key =
      operation === 's3_list' ? (query.get('prefix') ?? '') : name === 'DeleteObjects' ? undefined : at.key;
    const { sessionId, session } = key === undefined ? {} : this.#runtime.ownerOf(key);
    const agent = session?.agent.name;
    const sessionNumber =
      sessionId === undefined || agent === undefined ? undefined : this.#numbers.find(agent, sessionId);
    return this.#injector.strike({ operation, bucket, key, agent, sessionId, sessionNumber });
  }

  #let(struck: StruckFault, call: S3Call, operate: Operate): Promise<S3Reply> {
    switch (struck.fault.kind) {
      case 'forget':
        return struck.durationMs === 0
          ? this.#forgetAtOnce(struck, call, operate)
          : this.#forgetLater(struck, call, operate);
      case 'hide_from_lists':
        return hide(struck, this.#unlisted, call, operate);
      case 'hide_from_reads':
        return hide(struck, this.#unreadable, call, operate);
      case 'slow_body':
        struck.settle('done');
        return slow(struck.fault.bytesPerSecond, call, operate);
      default:
        return this.#strikeAround(struck, call, operate);
    }
  }

  async #strikeAround(struck: StruckFault, call: S3Call, operate: Operate): Promise<S3Reply> {
    if (struck.moment === 'before') {
      await this.#interrupt(struck, call);
      return operate(call);
    }
    const reply = await operate(call);
    try {
      await this.#interrupt(struck, call);
      return reply;
    } catch (error) {
      if (reply.body instanceof Readable) reply.body.destroy();
      throw error;
    }
  }

  async #interrupt(struck: StruckFault, call: S3Call): Promise<void> {
    if (struck.fault.kind === 'kill') {
      struck.settle(this.#runtime.ownerOf(call.at.key).session?.kill() === true ? 'done' : 'missed');
      throw new ConnectionFault('reset');
    }
    await interrupt(struck, call.signal, injectedS3Error);
  }

  async #forgetAtOnce(struck: StruckFault, call: S3Call, operate: Operate): Promise<S3Reply> {
    const settings = { ...call.settings, backend: forgetfulBackend(call.settings.backend) };
    const reply = await operate({ ...call, settings });
    this.#noteForgotten(call);
    struck.settle('done');
    return reply;
  }

  async #forgetLater(struck: StruckFault, call: S3Call, operate: Operate): Promise<S3Reply> {
    const reply = await operate(call);
    const etag = (reply.headers?.['etag'] ?? '').replaceAll('"', '');
    void forgetAfterPause(struck, call, etag, this.#runtime.clock).then((isForgotten) => {
      struck.settle(isForgotten ? 'done' : 'missed');
      if (isForgotten) this.#noteForgotten(call);
    });
    return reply;
  }

  #noteForgotten({ at: { bucket, key } }: S3Call): void {
    const { sessionId } = this.#runtime.ownerOf(key);
    this.#runtime.note({ kind: 's3_write', bucket, key, sessionId, ifAbsent: false, outcome: 'forgotten' });
  }
}

async function forgetAfterPause(
  struck: StruckFault,
  call: S3Call,
  etag: string,
  clock: Clock,
): Promise<boolean> {
  const backend: ObjectBackend = call.settings.backend;
  try {
    await pause(struck.durationMs, { signal: struck.signal, clock });
    // Only what this request stored: another may have overwritten it since.
    return (await backend.delete(call.at, { kind: 'matches', etag })).kind === 'done';
  } catch {
    // The plan was replaced, or the backend cannot delete, as one over a result store.
    return false;
  }
}

// Hidden before it is stored: nobody may see it in between.
async function hide(struck: StruckFault, keys: HiddenKeys, call: S3Call, operate: Operate): Promise<S3Reply> {
  keys.hide(call.at, Number.POSITIVE_INFINITY);
  try {
    const reply = await operate(call);
    keys.hide(call.at, struck.durationMs);
    struck.settle('done');
    return reply;
  } catch (error) {
    keys.show(call.at);
    throw error;
  }
}

async function slow(bytesPerSecond: number, call: S3Call, operate: Operate): Promise<S3Reply> {
  if (call.operation === 'PutObject') {
    return operate({ ...call, body: slowStream(call.body, bytesPerSecond, call.signal) });
  }
  const reply = await operate(call);
  return reply.body === undefined
    ? reply
    : { ...reply, body: slowStream(reply.body, bytesPerSecond, call.signal) };
}

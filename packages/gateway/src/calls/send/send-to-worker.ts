import { type EngineReply, EngineUnreachable } from '../../engines/engine-transport.ts';
import type { Worker } from '../../routing/worker.ts';
import type { WeightMark } from '../../sessions/weight-version.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { ArtError } from '@art/protocol';
import type { EngineFlavour } from '../../engines/engine-profiles.ts';
import type { AdmittedCall } from '../call/call.ts';
import type { CallContext } from '../call/call-context.ts';
import { isRetryableStatus, RetryPlan } from './retry-plan.ts';

/** An engine's answer that is here in full. */
export interface WholeReply extends Omit<EngineReply, 'body'> {
  kind: 'whole';
  body: Buffer;
}

/** An engine's answer that is still being written. */
export interface StreamReply extends EngineReply {
  kind: 'stream';
}

/** Waits for the rest of a reply. @throws EngineUnreachable if it breaks off */
export async function receiveWhole(
  { body, ...reply }: EngineReply,
  worker: Worker,
  signal: AbortSignal,
): Promise<WholeReply> {
  try {
    return { kind: 'whole', ...reply, body: Buffer.concat(await Array.fromAsync(body)) };
  } catch (cause) {
    const failure = signal.aborted ? 'aborted' : 'broken';
    throw new EngineUnreachable({ baseUrl: worker.url, failure, cause });
  }
}

/** Takes a successful event stream as it comes, and waits for everything else. */
export async function receiveStream(
  reply: EngineReply,
  worker: Worker,
  signal: AbortSignal,
): Promise<WholeReply | StreamReply> {
  if (reply.status === 200 && isEventStream(reply.headers)) return { kind: 'stream', ...reply };
  return await receiveWhole(reply, worker, signal);
}

function isEventStream(headers: EngineReply['headers']): boolean {
  const type = headers['content-type'];
  // Small servers say nothing of what they write, or that it is text. What is JSON after all shows in its first byte.
  if (type === undefined) return true;
  return (
    typeof type === 'string' && /^(?:text\/(?:event-stream|plain)|application\/octet-stream)\b/i.test(type)
  );
}

/** What one worker is sent. */
interface Sendable {
  body: Uint8Array | undefined;
  /** Below the worker's API. */
  path: string;
  /** Beside the worker's API, in place of `path`. */
  rootPath?: string | undefined;
}

/** What is sent, which may depend on the worker and its kind of engine. */
interface WorkerRequest<Ready extends Sendable, Reply> {
  /** The model that the agent named, for routing. */
  model: string | undefined;
  prepare: (worker: Worker, flavour: EngineFlavour) => Ready | Promise<Ready>;
  /** Takes what has to be there for the attempt to count; a connection that breaks in it is tried again. */
  receive: (reply: EngineReply, worker: Worker, ready: Ready) => Reply | Promise<Reply>;
  /** Whether the answer says only that the worker is to be asked in another way, which `prepare` knows from then on. */
  isOtherWay?: ((reply: Reply, worker: Worker, ready: Ready) => boolean) | undefined;
}

/** A worker's answer; the worker counts the call as its own until `release`. */
export interface WorkerAnswer<Ready, Reply> {
  worker: Worker;
  flavour: EngineFlavour;
  ready: Ready;
  reply: Reply;
  /** Which weights were announced when it was asked. */
  weightMark: WeightMark;
  release: () => void;
}

/** Whatever is received of a reply has its status. */
type ReceivedReply = Pick<EngineReply, 'status' | 'headers'>;

/**
 * Sends a call to a worker, and again, to the same or another one, as long as nothing of an answer reached the agent and
 * trying makes sense.
 * @throws EngineUnreachable; ArtError `ART_ENGINE_NO_WORKER`
 */
export async function sendToWorker<Ready extends Sendable, Reply extends ReceivedReply>(
  context: CallContext,
  call: AdmittedCall,
  request: WorkerRequest<Ready, Reply>,
): Promise<WorkerAnswer<Ready, Reply>> {
  const plan = new RetryPlan(context.options.retry);
  const refusing = new Set<Worker>();
  for (;;) {
    const worker = acquire(context, call, request.model, refusing);
    const release = (): void => context.pool.release(worker);
    let delayMs = 0;
    try {
      const flavour = await context.flavours.of(worker);
      const ready = await request.prepare(worker, flavour);
      call.meter.engine = flavour;
      const weightMark = context.weights.mark();
      const reply = await call.meter.engineTime(() => attempt(context, call, worker, request, ready));
      const isOtherWay = request.isOtherWay?.(reply, worker, ready) === true;
      const failedDelayMs = isOtherWay ? 0 : delayAfter(reply, plan, call);
      if (failedDelayMs === undefined) return { worker, flavour, ready, reply, weightMark, release };
      if (!isOtherWay) context.metrics.retried(String(reply.status));
      delayMs = failedDelayMs;
    } catch (error) {
      const failure = error instanceof EngineUnreachable ? error.failure : undefined;
      if (failure === 'not_connected') refusing.add(worker);
      const mayRetry = failure !== undefined && !call.life.signal.aborted && call.reply.state === 'open';
      const failedDelayMs = mayRetry ? plan.next({ kind: 'connection', failure }) : undefined;
      if (failure === undefined || failedDelayMs === undefined) {
        release();
        throw error;
      }
      context.metrics.retried(failure);
      delayMs = failedDelayMs;
    }
    release();
    if (delayMs > 0) await pause(delayMs, undefined, { signal: call.life.signal });
  }
}

/** The worker for the next attempt, if possible none that refused a connection. */
function acquire(
  { pool }: CallContext,
  { session }: AdmittedCall,
  model: string | undefined,
  refusing: Set<Worker>,
): Worker {
  const wish = { session, model };
  if (refusing.size > 0) {
    try {
      return pool.acquire({ ...wish, except: refusing });
    } catch (error) {
      if (!ArtError.isInstance(error)) throw error;
      // All refuse: the one that was asked first may be starting up.
      refusing.clear();
    }
  }
  return pool.acquire(wish);
}

async function attempt<Ready extends Sendable, Reply>(
  { engines }: CallContext,
  call: AdmittedCall,
  worker: Worker,
  { receive }: WorkerRequest<Ready, Reply>,
  ready: Ready,
): Promise<Reply> {
  const reply = await engines.send({
    method: call.request.method ?? 'POST',
    baseUrl: worker.url,
    path: ready.rootPath ?? worker.apiPath + ready.path,
    headers: call.headers,
    body: ready.body,
    sessionId: call.session?.sessionId,
    maxContextTokens: call.session?.init.maxContextTokens,
    signal: call.life.signal,
  });
  return await receive(reply, worker, ready);
}

// Once a status is out, heartbeats included, the agent's own retries take over.
function delayAfter(reply: ReceivedReply, plan: RetryPlan, call: AdmittedCall): number | undefined {
  if (!isRetryableStatus(reply.status) || call.reply.state !== 'open') return undefined;
  const retryAfter = reply.headers['retry-after'];
  return plan.next({
    kind: 'status',
    status: reply.status,
    retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
  });
}

import { setTimeout as pause } from 'node:timers/promises';
import type { EngineFlavour } from '../../engines/engine-profiles.ts';
import { type EngineReply, type EngineTransport, EngineUnreachable } from '../../engines/engine-transport.ts';
import type { Worker } from '../../routing/worker.ts';
import { callLimits } from '../../trajectories/stored-trajectory.ts';
import type { Call } from '../call/call.ts';
import type { ProxyContext } from '../call/proxy-context.ts';
import { isRetryableStatus, RetryPlan, type FailedAttempt } from './retry-plan.ts';

/** What is sent, which may depend on the kind of engine. */
export interface WorkerRequest<P> {
  transport: EngineTransport;
  /** The model that the agent named, for routing. */
  model: string | undefined;
  prepare: (flavour: EngineFlavour, worker: Worker) => P & { body: Uint8Array | undefined; path: string };
}

/** A worker's answer; the worker counts the call as its own until `release`. */
export interface WorkerAnswer<P, R> {
  worker: Worker;
  flavour: EngineFlavour;
  prepared: P;
  reply: R;
  release: () => void;
}

/** Whatever is received of a reply has its status. */
export interface ReceivedReply {
  status: number;
  headers: Readonly<Record<string, string | string[]>>;
}

/**
 * Sends a call to a worker, and again, to the same or another one, as long as nothing of an answer reached the agent and
 * trying makes sense.
 * @param receive takes what has to be there for the attempt to count; a connection that breaks in it is tried again
 * @throws EngineUnreachable; ArtError `ART_ENGINE_NO_WORKER`
 */
export async function sendToWorker<P, R extends ReceivedReply>(
  context: ProxyContext,
  call: Call,
  request: WorkerRequest<P>,
  receive: (reply: EngineReply, worker: Worker) => R | Promise<R>,
): Promise<WorkerAnswer<P, R>> {
  const plan = new RetryPlan(context.options.retry);
  const refusing = new Set<Worker>();
  for (;;) {
    const worker = acquire(context, call, request.model, refusing);
    const release = once(() => context.pool.release(worker));
    let answered = false;
    try {
      const flavour = await context.flavours.of(worker);
      const prepared = request.prepare(flavour, worker);
      call.engine = flavour;
      const reply = await attempt(call, worker, request, prepared, receive);
      const delayMs = delayAfter(reply, plan, call);
      if (delayMs === undefined) {
        answered = true;
        return { worker, flavour, prepared, reply, release };
      }
      context.metrics.retried(String(reply.status));
      release();
      await pause(delayMs, undefined, { signal: call.signal });
    } catch (error) {
      if (!(error instanceof EngineUnreachable) || call.signal.aborted) throw error;
      if (error.failure === 'not_connected') refusing.add(worker);
      const delayMs = call.reply.state === 'open' ? plan.next(failed(error)) : undefined;
      if (delayMs === undefined) throw error;
      context.metrics.retried(error.failure);
      release();
      await pause(delayMs, undefined, { signal: call.signal });
    } finally {
      if (!answered) release();
    }
  }
}

function acquire(
  context: ProxyContext,
  call: Call,
  model: string | undefined,
  refusing: Set<Worker>,
): Worker {
  const wish = { sessionId: call.session?.sessionId, model };
  if (refusing.size > 0) {
    try {
      return context.pool.acquire({ ...wish, except: refusing });
    } catch {
      // All refuse: the one that was asked first may be starting up.
      refusing.clear();
    }
  }
  return context.pool.acquire(wish);
}

async function attempt<P, R extends ReceivedReply>(
  call: Call,
  worker: Worker,
  { transport }: WorkerRequest<P>,
  { body, path }: { body: Uint8Array | undefined; path: string },
  receive: (reply: EngineReply, worker: Worker) => R | Promise<R>,
): Promise<R> {
  const startedAt = performance.now();
  try {
    const reply = await transport.send({
      method: call.request.method ?? 'POST',
      baseUrl: worker.url,
      path: worker.apiPath + path,
      headers: call.headers,
      body,
      sessionId: call.session?.sessionId,
      maxContextTokens: callLimits(call.session).maxContextTokens,
      signal: call.signal,
    });
    call.replyNotes = reply.notes;
    return await receive(reply, worker);
  } finally {
    call.engineMs = (call.engineMs ?? 0) + performance.now() - startedAt;
  }
}

// Once a status is out, heartbeats included, the agent's own retries take over.
function delayAfter(reply: ReceivedReply, plan: RetryPlan, call: Call): number | undefined {
  if (!isRetryableStatus(reply.status) || call.reply.state !== 'open') return undefined;
  const retryAfter = reply.headers['retry-after'];
  return plan.next({
    kind: 'status',
    status: reply.status,
    retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
  });
}

function failed(error: EngineUnreachable): FailedAttempt {
  return { kind: 'connection', failure: error.failure };
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    act();
  };
}

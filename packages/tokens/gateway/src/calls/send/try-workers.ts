import { setTimeout as pause } from 'node:timers/promises';
import { findString } from '../../json-bytes/find-value.ts';
import { JsonSyntaxError } from '../../json-bytes/json-syntax-error.ts';
import { ArtError } from '@art/ground';
import type { EngineFlavour } from '../../engines/engine-profiles.ts';
import { type EngineReply, EngineUnreachable } from '../../engines/engine-transport.ts';
import type { Worker } from '../../routing/worker.ts';
import type { AdmittedCall } from '../call/call.ts';
import type { SendingServices } from '../call/gateway-services.ts';
import { isRetryableStatus, RetryPlan } from './retry-plan.ts';

/** Result of one request to a worker: every received reply has the status. */
interface Attempted {
  reply: Pick<EngineReply, 'status' | 'headers'>;
}

/** A worker's answer; the worker counts the call as its own until `release`. */
export type WorkerAnswer<Answer extends Attempted> = Answer & {
  worker: Worker;
  flavour: EngineFlavour;
  release: () => void;
};

/**
 * Has a worker asked, and again, the same or another one, as long as nothing of an answer reached the agent and trying makes
 * sense.
 * @param ask asks one worker once, and waits for what has to be there for the attempt to count
 * @throws EngineUnreachable; ArtError `ART_ENGINE_NO_WORKER`; what `ask` throws
 */
export async function tryWorkers<Answer extends Attempted>(
  services: SendingServices,
  call: AdmittedCall,
  ask: (worker: Worker, flavour: EngineFlavour) => Promise<Answer>,
): Promise<WorkerAnswer<Answer>> {
  const plan = new RetryPlan(services.options.retry);
  const model = wantedModel(services, call);
  const refusing = new Set<Worker>();
  for (;;) {
    const worker = acquire(services, call, model, refusing);
    const release = (): void => services.pool.release(worker);
    let delayMs: number | undefined;
    try {
      const flavour = await services.flavours.of(worker);
      call.meter.engine = flavour;
      const answer = await ask(worker, flavour);
      delayMs = delayAfter(answer.reply, plan, call);
      if (delayMs === undefined) return { ...answer, worker, flavour, release };
      services.metrics.retried(String(answer.reply.status));
    } catch (error) {
      const failure = error instanceof EngineUnreachable ? error.failure : undefined;
      if (failure === 'not_connected') refusing.add(worker);
      const mayRetry = failure !== undefined && !call.life.signal.aborted && call.reply.state === 'open';
      delayMs = mayRetry ? plan.next({ kind: 'connection', failure }) : undefined;
      if (failure === undefined || delayMs === undefined) {
        release();
        throw error;
      }
      services.metrics.retried(failure);
    }
    release();
    if (delayMs > 0) await pause(delayMs, undefined, { signal: call.life.signal });
  }
}

/** The model that an agent wants, where that decides about the worker; undefined also where the body is no JSON. */
function wantedModel({ options, pool }: SendingServices, { body, target }: AdmittedCall): string | undefined {
  if (!pool.namesModels) return undefined;
  // What is passed on as it came keeps the model that it names.
  if (options.model !== undefined && target.endpoint !== 'other') return options.model;
  return modelIn(body);
}

/** The model that a body names; undefined also where the body is no JSON. */
export function modelIn(body: Uint8Array): string | undefined {
  try {
    return findString(body, ['model']);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** The worker for the next attempt, if possible none that refused a connection. */
function acquire(
  { pool }: SendingServices,
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

// Once a status is out, heartbeats included, the agent's own retries take over.
function delayAfter(reply: Attempted['reply'], plan: RetryPlan, call: AdmittedCall): number | undefined {
  if (!isRetryableStatus(reply.status) || call.reply.state !== 'open') return undefined;
  const retryAfter = reply.headers['retry-after'];
  return plan.next({
    kind: 'status',
    status: reply.status,
    retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
  });
}

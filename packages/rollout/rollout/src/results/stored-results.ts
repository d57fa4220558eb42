import {
  askPatiently,
  callWithin,
  type Clock,
  pause,
  Semaphore,
  type TakeTurn,
  ArtError,
  parseJson,
  readOptions,
} from '@art/ground';
import {
  parseInvocationReply,
  parseInvocationState,
  type AgentRuntime,
  type InvocationReply,
  type RolloutOutcome,
} from '@art/protocol';
import { type ResultLocation, type ResultStore, StoreError } from '@art/store';
import type { AwaitedRollout, ReadResult, ResultSource, Submission } from '../lifecycle/result-source.ts';
import type { RolloutAddress, StoredAddress } from '../request/rollout-request.ts';
import { resolveLivenessOptions, type LivenessOptions } from '../sessions/liveness-options.ts';
import { lostSessionError } from '../sessions/lost-session-error.ts';
import { SessionLiveness } from '../sessions/session-liveness.ts';
import { CompletionWatcher } from '../watcher/completion-watcher.ts';
import { type WatcherTrouble, type WatchOptions, watchRules } from '../watcher/watch-options.ts';
import { outcomeOfText } from './outcome-of-document.ts';
import { storeFailed, unreadableResult } from './store-outcomes.ts';

export interface FetchDocumentDeps {
  store: ResultStore;
  clock: Clock;
  /** The limit of concurrent reads. */
  fetchLimit: Semaphore;
  /** How long a result that was noticed may stay unreadable before its rollout is given up. */
  fetchGiveUpMs: number;
}

export interface StoredResultsDeps {
  runtime: AgentRuntime;
  store: ResultStore;
  clock: Clock;
  watch: WatchOptions | undefined;
  /** `false` where sessions are not to be asked. */
  liveness: LivenessOptions | false | undefined;
  /** The error that the store fails with now. */
  storeTrouble: () => Promise<unknown>;
  onTrouble: (trouble: WatcherTrouble) => void;
  /** Called with what an agent says that cannot reach its model. */
  onUnreachable: (told: string) => void;
}

/** The result of a last look at the store: a result, certainly none, or a store that does not answer. */
type LastLook = { kind: 'found'; text: string } | { kind: 'nothing' } | { kind: 'failed'; error: unknown };

const firstRetryMs = 100;
const longestRetryMs = 5_000;
// It must not outlive its use: the deadline has already passed.
const lastLookMs = 5_000;

/** Results as documents in a store: noticed by one watch over all of them. */
export class StoredResults implements ResultSource {
  readonly outlivesSessions = true;
  readonly #reading: FetchDocumentDeps;
  readonly #watcher: CompletionWatcher;
  readonly #liveness: SessionLiveness | undefined;
  readonly #storeTrouble: () => Promise<unknown>;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(deps: StoredResultsDeps) {
    const { runtime, store, clock, watch, liveness, storeTrouble, onTrouble, onUnreachable } = deps;
    const { fetchGiveUpMs, ...looking } = readOptions('watch', watch ?? {}, watchRules, 'watch.');
    this.#reading = { store, clock, fetchGiveUpMs, fetchLimit: new Semaphore(looking.concurrency) };
    this.#watcher = new CompletionWatcher({ ...looking, store, clock, onTrouble });
    this.#storeTrouble = storeTrouble;
    const rules = resolveLivenessOptions(liveness, runtime);
    if (rules !== undefined)
      this.#liveness = new SessionLiveness({ runtime, store, clock, rules, onUnreachable });
  }

  readAnswer(rollout: RolloutAddress, body: string): Submission {
    const address = assertStored(rollout);
    const state = parseInvocationState(body, address.invocationId);
    if (state === undefined) {
      checkPlace(address, parseInvocationReply(body));
      return { kind: 'accepted', speaksRip: false };
    }
    if (state.status === 'interrupted' || state.status === 'not_found')
      throw lostSessionError(address.sessionId, state);
    checkPlace(address, parseJson(body) as InvocationReply);
    // What has completed already is in the store, or will never be: its waiter finds out.
    return { kind: 'accepted', speaksRip: true };
  }

  async find(address: RolloutAddress, signal: AbortSignal): Promise<ReadResult | undefined> {
    const { store, clock } = this.#reading;
    const at = locationOf(assertStored(address));
    const isThere = await askPatiently((asked) => store.exists(at, { signal: asked }), { clock, signal });
    return isThere ? this.#reader(at) : undefined;
  }

  async whenReady({ address, speaksRip, isNew }: AwaitedRollout, signal: AbortSignal): Promise<ReadResult> {
    const { clock } = this.#reading;
    const acceptedMs = clock.nowMs();
    const at = locationOf(assertStored(address));
    // Only a session that is asked can turn out to be lost; the others need no signal of their own.
    const asked = speaksRip ? this.#liveness?.watch(assertStored(address), signal) : undefined;
    try {
      await this.#watcher.noticed(at, asked?.signal ?? signal);
      // How long an adopted one took is not known here, and would make others look late.
      if (isNew) this.#liveness?.noticed(clock.nowMs() - acceptedMs);
      return this.#reader(at);
    } catch (error) {
      // The session is gone; the result may be there all the same, hidden by a store that refuses to be read.
      const last = signal.aborted || asked === undefined ? undefined : await this.lastLook(address);
      if (last !== undefined) return () => Promise.resolve(last);
      // Its agent has the result and cannot store it.
      if (StoreError.isInstance(error)) return () => Promise.resolve({ kind: 'infra_error', error });
      throw error;
    } finally {
      asked?.end();
    }
  }

  async lastLook(address: RolloutAddress): Promise<RolloutOutcome | undefined> {
    const look = await this.#look(address);
    if (look.kind === 'found') return outcomeOfText(look.text);
    // A store that hides from those who may not read says of every key that nothing is there.
    const trouble = look.kind === 'failed' ? look.error : await this.#storeTrouble();
    return trouble === undefined ? undefined : storeFailed(locationOf(assertStored(address)), trouble);
  }

  close(): Promise<void> {
    return this.#watcher.close();
  }

  /** Reads a result that may have come at the last moment. Never rejects. */
  #look(address: RolloutAddress): Promise<LastLook> {
    const { store, clock } = this.#reading;
    const at = locationOf(assertStored(address));
    const timeoutError = (): Error => new Error(`it did not answer within ${lastLookMs} ms`);
    const bounds = { clock, timeoutMs: lastLookMs, timeoutError };
    return callWithin((signal) => store.get(at, { signal }), bounds).then(
      (text) => (text === undefined ? { kind: 'nothing' } : { kind: 'found', text }),
      (error: unknown) => ({ kind: 'failed', error }),
    );
  }

  #reader(at: ResultLocation): ReadResult {
    return async (signal) => {
      try {
        return outcomeOfText(await fetchDocument(at, this.#reading, signal));
      } catch (error) {
        signal.throwIfAborted();
        return unreadableResult(at, this.#reading.fetchGiveUpMs, error);
      }
    };
  }
}

/**
 * Reads a result that was noticed. A store may list a key before it can be read, and may fail for a while: both are
 * retried with growing pauses until `fetchGiveUpMs` has passed. A place among the reads is held for a try only, and each try lines
 * up behind the results that wait already: what cannot be read delays others by its tries and not by its pauses, and what is
 * new is no reason for a retry to wait longer. Time in line does not count.
 * @throws Error with the last failure as its cause; the signal's reason when aborted.
 */
export async function fetchDocument(
  at: ResultLocation,
  deps: FetchDocumentDeps,
  signal: AbortSignal,
): Promise<string> {
  let givenUpAtMs = deps.clock.nowMs() + deps.fetchGiveUpMs;
  const turn: TakeTurn = (work) => {
    const linedUpAtMs = deps.clock.nowMs();
    return deps.fetchLimit.run(signal, () => {
      givenUpAtMs += deps.clock.nowMs() - linedUpAtMs;
      return work();
    });
  };
  for (let retryMs = firstRetryMs; ; retryMs = Math.min(longestRetryMs, retryMs * 2)) {
    let failure: unknown;
    try {
      const text = await askPatiently((asked) => deps.store.get(at, { signal: asked }), {
        clock: deps.clock,
        signal,
        turn,
      });
      if (text !== undefined) return text;
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    }
    if (deps.clock.nowMs() + retryMs > givenUpAtMs) {
      throw new Error(
        failure === undefined ? 'the store lists it but has nothing to read' : (failure as Error).message,
        {
          cause: failure,
        },
      );
    }
    await pause(retryMs, { clock: deps.clock, signal });
  }
}

function assertStored(address: RolloutAddress): StoredAddress {
  const { bucket, resultKey } = address;
  if (bucket === undefined || resultKey === undefined)
    throw new Error('unreachable: a rollout whose result is stored has a place in the store');
  return address as StoredAddress;
}

function locationOf({ bucket, resultKey: key }: StoredAddress): ResultLocation {
  return { bucket, key };
}

function checkPlace(address: StoredAddress, reply: Pick<InvocationReply, 's3_bucket' | 'result_key'>): void {
  if (reply.s3_bucket === address.bucket && reply.result_key === address.resultKey) return;
  const announced =
    reply.result_key === undefined
      ? 'no key, as if it stored nothing'
      : `${JSON.stringify(reply.result_key)} in bucket ${JSON.stringify(reply.s3_bucket)}`;
  throw new ArtError({
    code: 'ART_RESULT_KEY_MISMATCH',
    message: `Expected the agent to store its result as ${JSON.stringify(address.resultKey)} in bucket ${JSON.stringify(address.bucket)}, it announced ${announced}. Check that the agent passes the session id and _rollout on unchanged, or leave the bucket out to take results from sessions.`,
  });
}

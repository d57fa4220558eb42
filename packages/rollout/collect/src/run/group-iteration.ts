import { backgroundClock, linkSignals, type JsonObject, ArtError } from '@art/ground';
import type { RolloutJournal } from '@art/journal';
import {
  type Group,
  type GroupOptions,
  RolloutClient,
  type RolloutClientOptions,
  type RolloutGatewayOptions,
  type RunHandle,
} from '@art/rollout';
import type { CollectRequest } from '../request/collect-request.ts';
import { groupId } from '../rows/group-line.ts';
import type { Changes } from './changes.ts';

/** Parts that the rollouts of all requests are made with. */
export interface IterationDeps {
  client: Omit<RolloutClientOptions, 'gateway' | 'expId'>;
  gateway: RolloutGatewayOptions;
  /** First part of the experiment, before the request's id. */
  expId: string;
  maxConcurrentSessions: number;
  journal: RolloutJournal;
  /** Called with whatever changes here. */
  changes: Changes;
}

/** Choices about one request's groups. */
export interface IterationInit {
  request: CollectRequest;
  createdAtMs: number;
  acknowledgedCount: () => number;
}

/** The groups of one request, begun or taken up where an earlier process left them; a journal records each rollout. */
export class GroupIteration {
  readonly #init: IterationInit;
  readonly #deps: IterationDeps;
  readonly #stopping = new AbortController();
  readonly #leaving = new AbortController();
  readonly #over = linkSignals(this.#stopping.signal, this.#leaving.signal);
  readonly #client: RolloutClient;
  #groups: RunHandle<Group<JsonObject>> | undefined;
  #closed: Promise<void> | undefined;

  /** @throws ArtError `ART_INVALID_OPTION` for sampling parameters that JSON cannot hold */
  constructor(init: IterationInit, deps: IterationDeps) {
    this.#init = init;
    this.#deps = deps;
    const { requestId, sampling, samplingDefaults, trainConstrained, trains } = init.request;
    this.#client = new RolloutClient({
      ...deps.client,
      ...((deps.client.bucket ?? deps.client.store) !== undefined && {
        expId: `${deps.expId}/${requestId}`,
      }),
      gateway: {
        ...deps.gateway,
        samplingParams: { ...deps.gateway.samplingParams, ...sampling },
        samplingDefaults: { ...deps.gateway.samplingDefaults, ...samplingDefaults },
        trainConstrained: trainConstrained ?? deps.gateway.trainConstrained,
        trains: trains ?? deps.gateway.trains,
        metadata: { ...deps.gateway.metadata, request_id: requestId },
      },
    });
  }

  /** Groups that have begun and are not settled. */
  get openGroups(): number {
    return this.#closed === undefined ? (this.#groups?.progress.items.active ?? 0) : 0;
  }

  get runningRollouts(): number {
    return this.#closed === undefined ? (this.#groups?.progress.active ?? 0) : 0;
  }

  /**
   * Looks whether all of it can be done; nothing begins yet.
   * @throws ArtError `ART_INVALID_OPTION`
   */
  async prepare(): Promise<void> {
    const { request } = this.#init;
    const { journal } = this.#deps;
    const choice = { journal, runId: request.requestId };
    const wasBegun = (await journal.list()).includes(request.requestId);
    const options = this.#groupOptions();
    this.#groups = wasBegun
      ? this.#client.resumeGroups(choice, this.#inputs(), options)
      : this.#client.runGroups(this.#inputs(), { ...options, journal: choice });
  }

  /** Begins no further group; those that have begun are finished. */
  pause(): void {
    this.#groups?.pause();
  }

  /** Ends a pause. */
  resume(): void {
    this.#groups?.resume();
  }

  /** The next settled group; undefined after the last. The first call begins. */
  async next(): Promise<Group<JsonObject> | undefined> {
    const next = await this.#groups?.next();
    return next === undefined || next.done === true ? undefined : next.value;
  }

  /** Stops every session. */
  stop(reason: Error): Promise<void> {
    this.#stopping.abort(reason);
    return this.#close();
  }

  /** Leaves the sessions at work, for a later process to take over. */
  leave(reason: Error): Promise<void> {
    this.#leaving.abort(reason);
    return this.#close();
  }

  /** After the last group. */
  finish(): Promise<void> {
    return this.#close();
  }

  #close(): Promise<void> {
    this.#closed ??= this.#closeOnce();
    return this.#closed;
  }

  async #closeOnce(): Promise<void> {
    // The run hears of a signal when its next group is asked for.
    if (this.#over.signal.aborted) await this.#groups?.next().catch(() => undefined);
    await this.#groups?.return();
    await this.#client.close();
    this.#over.unlink();
    this.#deps.changes.notify();
  }

  #groupOptions(): GroupOptions<JsonObject> {
    const { request, createdAtMs } = this.#init;
    const { deadlineMs, agentErrorReward } = request;
    const clock = this.#deps.client.clock ?? backgroundClock;
    const leftMs = deadlineMs === undefined ? undefined : createdAtMs + deadlineMs - clock.epochMs();
    return {
      rolloutsPerInput: request.rolloutsPerInput,
      maxConcurrentSessions: request.maxConcurrentSessions ?? this.#deps.maxConcurrentSessions,
      timeoutMs: request.rolloutTimeoutMs,
      batchTimeoutMs: leftMs === undefined ? undefined : Math.max(1, leftMs),
      advantages: request.advantages,
      acknowledge: 'explicit',
      fallback: agentErrorReward === undefined ? undefined : { agent_error: { reward: agentErrorReward } },
      inputId: (_, index) => groupId(request.requestId, index),
      signal: this.#stopping.signal,
      detachSignal: this.#leaving.signal,
      onProgress: () => this.#deps.changes.notify(),
    };
  }

  /** Holds back what goes beyond the groups that the trainer wants to have at once. */
  async *#inputs(): AsyncGenerator<JsonObject, void, undefined> {
    const { request, acknowledgedCount } = this.#init;
    const { changes } = this.#deps;
    const { maxUnacknowledgedGroups: most = Infinity } = request;
    for (const [index, input] of request.inputs.entries()) {
      await changes.until(() => index - acknowledgedCount() < most, this.#over.signal);
      yield input;
    }
  }
}

/** Why a run ends before its last group. */
export function stoppingError(message: string): ArtError {
  return new ArtError({ code: 'ART_COLLECT_STOPPING', message });
}

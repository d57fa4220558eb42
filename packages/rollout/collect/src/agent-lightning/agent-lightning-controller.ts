import { join } from 'node:path';
import { backgroundClock, type Clock, isJsonObject, pause } from '@art/ground';
import { FileJournal, newRunId } from '@art/journal';
import type { AgentRuntime } from '@art/protocol';
import type { RolloutClientOptions } from '@art/rollout';
import { stoppingError } from '../run/group-iteration.ts';
import { attemptIdOf, emptyAttemptIdOf, type LightningRollout, runIdOf } from './lightning-rollout.ts';
import { LightningRun } from './lightning-run.ts';
import { LightningServer } from './lightning-server.ts';

export interface AgentLightningOptions {
  /** Address of the server. */
  url: string;
  /** The same server's address as agents reach it. @default url */
  agentUrl?: string | undefined;
  /** The server's key; agents get it for their model calls. @default none */
  key?: string | undefined;
  /** Folder of the journals, which must outlive this process. */
  directory: string;
  /** How rollouts reach the agent and where their results appear. */
  client: Omit<RolloutClientOptions, 'gateway' | 'expId' | 'baseUrl' | 'runtime'> & { runtime: AgentRuntime };
  /** First part of every result key. @default 'collect' */
  expId?: string | undefined;
  /** Most sessions at once. @default 64 */
  maxConcurrentSessions?: number | undefined;
  /** Pause before the server is asked again for rollouts that wait, in milliseconds. @default 1_000 */
  pollMs?: number | undefined;
  /** Told of what continues in spite of trouble. @default process.emitWarning */
  onNotice?: ((message: string) => void) | undefined;
}

/** More than any server holds at once. */
const all = 1_000_000;
const sweepMs = 60_000;
// Whoever runs a rollout may need a while after its time to say how it ended.
const graceMs = 60_000;

/**
 * A controller for Agent Lightning 1.0: takes the rollouts that wait at its server, runs each by a client, and says how it ended.
 * Rollouts that an earlier process left are continued by its journal.
 */
export class AgentLightningController implements AsyncDisposable {
  readonly #options: AgentLightningOptions;
  readonly #most: number;
  readonly #clock: Clock;
  readonly #stopping = new AbortController();
  readonly #leaving = new AbortController();
  readonly #ending = AbortSignal.any([this.#stopping.signal, this.#leaving.signal]);
  readonly #server: LightningServer;
  readonly #journal: FileJournal;
  readonly #onNotice: (message: string) => void;
  /** Ids of the rollouts that are under way here. */
  readonly #active = new Set<string>();
  #sweptAtMs = -Infinity;
  #isClosing = false;
  #running: Promise<void> | undefined;

  constructor(options: AgentLightningOptions) {
    const { directory, client, maxConcurrentSessions = 64 } = options;
    this.#options = { ...options, url: options.url.replace(/\/+$/, '') };
    const { url, key } = this.#options;
    this.#most = maxConcurrentSessions;
    this.#clock = client.clock ?? backgroundClock;
    this.#onNotice = options.onNotice ?? ((message) => process.emitWarning(message, 'ArtWarning'));
    this.#journal = new FileJournal({ directory: join(directory, 'agent-lightning') });
    const shared = { clock: this.#clock, onNotice: this.#onNotice, ending: this.#ending };
    this.#server = new LightningServer({ url, key, ...shared });
  }

  /**
   * Works until it is closed.
   * @throws ArtError `ART_AGENT_LIGHTNING_DENIED`, `ART_AGENT_LIGHTNING_REFUSED`, `ART_JOURNAL_LOCKED`, and what else ends a run
   */
  run(): Promise<void> {
    this.#running ??= this.#runOnce();
    return this.#running;
  }

  /** Ends it. @param how `leave`: sessions work on for a later process. @default 'stop' */
  async close(how: 'stop' | 'leave' = 'stop'): Promise<void> {
    this.#isClosing = true;
    const ending = how === 'leave' ? this.#leaving : this.#stopping;
    ending.abort(stoppingError('The controller is ending.'));
    await this.#running?.catch(() => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #runOnce(): Promise<void> {
    try {
      const earlier = await this.#journal.list();
      const running = Map.groupBy(await this.#server.list('running', all), runIdOf);
      const leftOf = (runId: string): LightningRollout[] => running.get(runId) ?? [];
      const left = earlier.flatMap(leftOf).map(({ id }) => id);
      for (const id of left) this.#active.add(id);
      const runId = newRunId();
      const share = (): void => {
        const open = left.filter((id) => this.#active.has(id)).length;
        fresh.limit = Math.max(1, this.#most - open);
      };
      const fresh = this.#runOf(runId, this.#waiting(runId), (id) => this.#active.delete(id));
      share();
      const goOn = async (id: string): Promise<void> => {
        await this.#runOf(id, leftOf(id), (ended) => {
          this.#active.delete(ended);
          share();
        }).work();
        if (!this.#ending.aborted) await this.#journal.remove(id);
      };
      await Promise.all([fresh.work(), ...earlier.map(goOn)]);
    } catch (error) {
      this.#stopping.abort(error);
    }
    if (!this.#isClosing) throw this.#stopping.signal.reason;
  }

  #runOf(
    runId: string,
    rollouts: readonly LightningRollout[] | AsyncIterable<LightningRollout>,
    onEnded: (id: string) => void,
  ): LightningRun {
    const { client, url, agentUrl = url, key, expId = 'collect' } = this.#options;
    return new LightningRun(runId, rollouts, {
      client: {
        onWarning: this.#onNotice,
        ...client,
        // The server puts the name of its model in its place.
        modelId: client.modelId ?? 'auto',
        ...((client.bucket ?? client.store) !== undefined && { expId: `${expId}/${runId}` }),
      },
      journal: this.#journal,
      server: this.#server,
      agentUrl: agentUrl.replace(/\/+$/, ''),
      key,
      maxConcurrentSessions: this.#most,
      signal: this.#stopping.signal,
      detachSignal: this.#leaving.signal,
      onNotice: this.#onNotice,
      onEnded,
      onFailed: (error) => this.#stopping.abort(error),
    });
  }

  /** The rollouts that wait, each as soon as there is room for it; claimed, so that nobody else takes it. */
  async *#waiting(runId: string): AsyncGenerator<LightningRollout, void, undefined> {
    const { pollMs = 1_000 } = this.#options;
    for (;;) {
      await this.#failForsaken();
      let isIdle = true;
      for (const rollout of await this.#server.list('queuing', this.#most)) {
        if (!(await this.#claim(rollout, runId))) continue;
        isIdle = false;
        yield { ...rollout, updatedAtMs: this.#clock.epochMs() };
      }
      if (isIdle) await pause(pollMs, { clock: this.#clock, signal: this.#ending });
    }
  }

  async #claim({ id, input }: LightningRollout, runId: string): Promise<boolean> {
    if (!isJsonObject(input)) {
      const message = 'ART_INVALID_PAYLOAD: Expected the input to be a JSON object.';
      await this.#server.change(id, { state: 'failed', error_message: message });
      return false;
    }
    const isOurs = await this.#server.change(id, {
      state: 'running',
      last_attempt_id: attemptIdOf(runId, 0),
    });
    if (isOurs) this.#active.add(id);
    return isOurs;
  }

  /** Fails what runs nowhere any more: nobody has said how it ended, long after its time. */
  async #failForsaken(): Promise<void> {
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#sweptAtMs < sweepMs) return;
    this.#sweptAtMs = nowMs;
    for (const { id, timeoutMs, updatedAtMs, attemptId } of await this.#server.list('running', all)) {
      if (this.#active.has(id) || this.#clock.epochMs() < updatedAtMs + timeoutMs + graceMs) continue;
      const message = `ART_ROLLOUT_LOST: Its controller has not said how it ended within its ${timeoutMs / 1_000} s.`;
      await this.#server.change(id, {
        state: 'failed',
        error_message: message,
        last_attempt_id: emptyAttemptIdOf(attemptId ?? 'art'),
      });
      this.#onNotice(`Rollout ${id} was given up. ${message}`);
    }
  }
}

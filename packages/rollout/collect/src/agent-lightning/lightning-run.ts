import type { RolloutJournal } from '@art/journal';
import {
  type BatchItem,
  type BatchOptions,
  type Payload,
  RolloutClient,
  type RolloutClientOptions,
  type RunHandle,
} from '@art/rollout';
import { attemptIdOf, emptyAttemptIdOf, type LightningRollout } from './lightning-rollout.ts';
import type { LightningServer, LightningStatus } from './lightning-server.ts';

export interface LightningRunDeps {
  client: RolloutClientOptions;
  journal: RolloutJournal;
  server: LightningServer;
  /** The server's address as agents reach it, without a slash at its end. */
  agentUrl: string;
  /** Sent by agents as Bearer key. */
  key: string | undefined;
  maxConcurrentSessions: number;
  signal: AbortSignal;
  detachSignal: AbortSignal;
  onNotice: (message: string) => void;
  /** The server has been told how a rollout ended. */
  onEnded: (id: string) => void;
  /** Stops the run and whatever is beside it. */
  onFailed: (error: unknown) => void;
}

// AgentCore ends every session then.
const longestMs = 28_800_000;
const longestMessage = 2_000;

/** Rollouts of a server as one run of a client, which a journal records. Every attempt calls its model at an address of its own. */
export class LightningRun {
  readonly #runId: string;
  readonly #deps: LightningRunDeps;
  readonly #client: RolloutClient;
  readonly #handle: RunHandle<BatchItem>;
  /** The rollouts that are under way, by their positions. */
  readonly #known = new Map<number, LightningRollout>();
  #count = 0;
  #hasToldOfReward = false;

  /**
   * @param rollouts in a list: those that an earlier process left in the run
   * @throws ArtError `ART_INVALID_OPTION`
   */
  constructor(
    runId: string,
    rollouts: readonly LightningRollout[] | AsyncIterable<LightningRollout>,
    deps: LightningRunDeps,
  ) {
    this.#runId = runId;
    this.#deps = deps;
    this.#client = new RolloutClient(deps.client);
    const options = this.#options();
    const journal = { journal: deps.journal, runId };
    this.#handle =
      Symbol.asyncIterator in rollouts
        ? this.#client.runBatch(this.#payloads(rollouts), { ...options, journal })
        : this.#client.resume(
            journal,
            rollouts.map((rollout) => this.#take(rollout)),
            options,
          );
  }

  /** Most sessions at once. */
  set limit(limit: number) {
    this.#handle.limit = limit;
  }

  /** Never rejects: a failure goes to `onFailed`. */
  async work(): Promise<void> {
    const { onFailed } = this.#deps;
    const telling = new Set<Promise<void>>();
    try {
      for await (const item of this.#handle) {
        const told = this.#tell(item)
          .catch(onFailed)
          .finally(() => telling.delete(told));
        telling.add(told);
      }
    } catch (error) {
      onFailed(error);
    }
    await Promise.all(telling);
    await this.#client.close();
  }

  #options(): BatchOptions {
    const { maxConcurrentSessions, signal, detachSignal, agentUrl, key } = this.#deps;
    return {
      maxConcurrentSessions,
      maxUnacknowledged: maxConcurrentSessions,
      timeoutMs: longestMs,
      deadlineAtMs: (index) => this.#at(index).updatedAtMs + this.#at(index).timeoutMs,
      inputId: (_, index) => this.#at(index).id,
      overrides: (_, index, attempt) => {
        const { id, mode } = this.#at(index);
        const place = `rollout/${encodeURIComponent(id)}/attempt/${attemptIdOf(this.#runId, attempt)}`;
        return { baseUrl: `${agentUrl}/proxy/${place}/mode/${mode}/openai/v1`, api_key: key };
      },
      acknowledge: 'explicit',
      signal,
      detachSignal,
    };
  }

  async *#payloads(rollouts: AsyncIterable<LightningRollout>): AsyncGenerator<Payload, void, undefined> {
    for await (const rollout of rollouts) yield this.#take(rollout);
  }

  #take(rollout: LightningRollout): Payload {
    this.#known.set(this.#count++, rollout);
    return rollout.input as Payload;
  }

  #at(index: number): LightningRollout {
    return this.#known.get(index)!;
  }

  async #tell(item: BatchItem): Promise<void> {
    const { server, onNotice, onEnded } = this.#deps;
    const { index, attempt, outcome } = item;
    const { id } = this.#at(index);
    const attemptId = attemptIdOf(this.#runId, attempt);
    let status: LightningStatus = { state: 'succeeded', last_attempt_id: attemptId };
    if (outcome.kind !== 'ok') {
      const said = `${outcome.kind} ${outcome.error.code}: ${outcome.error.message}`.slice(0, longestMessage);
      // The trainer trains on whatever the last attempt sampled, failed or not, with a reward of its own choice. Only an agent that
      // answered for itself is judged so.
      const isJudged = outcome.kind === 'agent_error';
      const counted = isJudged ? attemptId : emptyAttemptIdOf(this.#runId);
      status = { state: 'failed', last_attempt_id: counted, error_message: said };
      onNotice(`Rollout ${id} failed: ${said}`);
    } else if (outcome.reward !== undefined) {
      await server.reward(id, attemptId, outcome.reward);
    } else {
      this.#tellOfReward(id, outcome.rewardProblem?.message);
    }
    if (!(await server.change(id, status)))
      onNotice(
        `Rollout ${id} ended as ${status.state}, and its server did not take that: the rollout is gone, or was ended by somebody else.`,
      );
    await item.acknowledge();
    this.#known.delete(index);
    onEnded(id);
  }

  #tellOfReward(id: string, problem = ''): void {
    if (this.#hasToldOfReward) return;
    this.#hasToldOfReward = true;
    this.#deps.onNotice(
      `Rollout ${id} has no reward. ${problem} The trainer takes its reward_fillna_value, 0 unless set, for this one and others like it, unless its hooks give one.`,
    );
  }
}

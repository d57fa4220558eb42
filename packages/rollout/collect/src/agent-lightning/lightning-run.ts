import type { RolloutJournal } from '@art/journal';
import { type BatchItem, type BatchOptions, type Payload, RolloutClient, type RunHandle } from '@art/rollout';
import type { ResolvedLightningOptions } from './agent-lightning-options.ts';
import { attemptIdOf, type LightningRollout } from './lightning-rollout.ts';
import type { LightningServer, LightningStatus } from './lightning-server.ts';

/** The parts that all runs of a controller share. */
export interface LightningRunDeps {
  options: ResolvedLightningOptions;
  journal: RolloutJournal;
  server: LightningServer;
  /** Stops the sessions; also aborted by what fails. */
  stopping: AbortController;
  /** Leaves the sessions at work. */
  leaving: AbortSignal;
}

/** Rollouts of a server as one run of a client, which a journal records. Every attempt calls its model at an address of its own. */
export class LightningRun {
  readonly handle: RunHandle<BatchItem>;
  readonly #runId: string;
  readonly #deps: LightningRunDeps;
  readonly #client: RolloutClient;
  /** The rollouts that are under way, by their positions. */
  readonly #known = new Map<number, LightningRollout>();
  #count = 0;

  /** @param rollouts in a list: those that an earlier process left in the run @throws ArtError `ART_INVALID_OPTION` */
  constructor(
    runId: string,
    rollouts: readonly LightningRollout[] | AsyncIterable<LightningRollout>,
    deps: LightningRunDeps,
  ) {
    const { client, expId = 'collect', onNotice } = deps.options;
    this.#runId = runId;
    this.#deps = deps;
    this.#client = new RolloutClient({
      onWarning: onNotice,
      ...client,
      // The server puts the name of its model in its place.
      modelId: client.modelId ?? 'auto',
      ...((client.bucket ?? client.store) !== undefined && { expId: `${expId}/${runId}` }),
    });
    const journal = { journal: deps.journal, runId };
    const options = this.#batchOptions();
    this.handle =
      Symbol.asyncIterator in rollouts
        ? this.#client.runBatch(this.#payloads(rollouts), { ...options, journal })
        : this.#client.resume(
            journal,
            Array.from(rollouts, (one) => this.#take(one)),
            options,
          );
  }

  /** Resolves when the server knows of every rollout, or something has failed, which aborts `stopping`. */
  async work(): Promise<void> {
    const fail = (error: unknown): void => this.#deps.stopping.abort(error);
    let told = Promise.resolve();
    try {
      for await (const item of this.handle) {
        const telling = this.#tell(item).catch(fail);
        told = told.then(() => telling);
      }
    } catch (error) {
      fail(error);
    }
    await told;
    await this.#client.close();
  }

  #batchOptions(): BatchOptions {
    const { options, stopping, leaving } = this.#deps;
    const { maxConcurrentSessions, agentUrl, key } = options;
    const at = (index: number): LightningRollout => this.#known.get(index)!;
    return {
      maxConcurrentSessions,
      maxUnacknowledged: maxConcurrentSessions,
      // AgentCore ends every session then.
      timeoutMs: 28_800_000,
      deadlineAtMs: (index) => (this.#known.has(index) ? at(index).updatedAtMs + at(index).timeoutMs : 0),
      inputId: (_, index) => at(index).id,
      overrides: (_, index, attempt) => {
        const { id, mode } = at(index);
        const place = `rollout/${encodeURIComponent(id)}/attempt/${attemptIdOf(this.#runId, attempt)}`;
        return { baseUrl: `${agentUrl}/proxy/${place}/mode/${mode}/openai/v1`, api_key: key };
      },
      acknowledge: 'explicit',
      signal: stopping.signal,
      detachSignal: leaving,
    };
  }

  async *#payloads(rollouts: AsyncIterable<LightningRollout>): AsyncGenerator<Payload, void, undefined> {
    for await (const rollout of rollouts) yield this.#take(rollout);
  }

  #take(rollout: LightningRollout): Payload {
    this.#known.set(this.#count++, rollout);
    return rollout.input as Payload;
  }

  async #tell(item: BatchItem): Promise<void> {
    const { server, options } = this.#deps;
    const { index, attempt, outcome } = item;
    const { id } = this.#known.get(index)!;
    const attemptId = attemptIdOf(this.#runId, attempt);
    let status: LightningStatus = { state: 'succeeded', last_attempt_id: attemptId };
    if (outcome.kind !== 'ok') {
      // Further lines are of the agent's log.
      const [said = ''] = `${outcome.kind} ${outcome.error.code}: ${outcome.error.message}`.split('\n', 1);
      options.onNotice(`Rollout ${id} failed: ${said}`);
      // The trainer trains on what the last attempt sampled, failed or not, with a reward of its own choice. Only an agent that answered for
      // itself is judged so.
      const counted = outcome.kind === 'agent_error' ? attemptId : attemptIdOf(this.#runId, 'none');
      status = { state: 'failed', last_attempt_id: counted, error_message: said.slice(0, 500) };
    } else if (outcome.reward !== undefined) await server.reward(id, attemptId, outcome.reward);
    if (!(await server.change(id, status)))
      options.onNotice(
        `Rollout ${id} ended as ${status.state}, and its server did not take that: the rollout is gone, or was ended by somebody else.`,
      );
    await item.acknowledge();
    this.#known.delete(index);
  }
}

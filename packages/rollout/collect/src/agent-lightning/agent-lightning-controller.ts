import { join } from 'node:path';
import { anHttpUrl, backgroundClock, isJsonObject, pause } from '@art/ground';
import { FileJournal, newRunId } from '@art/journal';
import { stoppingError } from '../run/group-iteration.ts';
import type { AgentLightningOptions } from './agent-lightning-options.ts';
import { attemptIdOf, type LightningRollout, runIdOf } from './lightning-rollout.ts';
import { LightningRun, type LightningRunDeps } from './lightning-run.ts';
import { LightningServer } from './lightning-server.ts';

// Also how long after its time the controller of a rollout may need to say how it ended.
const sweepMs = 60_000;

/**
 * A controller for Agent Lightning 1.0: takes the rollouts that wait at its server, runs each by a client, and says how it ended.
 * Rollouts that an earlier process left are continued by its journal.
 */
export class AgentLightningController {
  readonly #deps: LightningRunDeps;
  readonly #leaving = new AbortController();
  readonly #ending: AbortSignal;
  /** Ids of the runs that are this controller's. */
  readonly #runs = new Set<string>();
  #sweptAtMs = -Infinity;
  #isClosing = false;
  #running: Promise<void> | undefined;

  /** @throws ArtError `ART_INVALID_OPTION` */
  constructor(given: AgentLightningOptions) {
    const url = anHttpUrl(given.url, 'url').replace(/\/+$/, '');
    const agentUrl = anHttpUrl(given.agentUrl ?? url, 'agentUrl').replace(/\/+$/, '');
    const options = { ...given, url, agentUrl, clock: given.client.clock ?? backgroundClock };
    const [stopping, leaving] = [new AbortController(), this.#leaving.signal];
    this.#ending = AbortSignal.any([stopping.signal, leaving]);
    const server = new LightningServer(options, this.#ending);
    const journal = new FileJournal({ directory: join(given.directory, 'agent-lightning') });
    this.#deps = { options, journal, server, stopping, leaving };
  }

  /** Works until it is closed. @throws ArtError `ART_AGENT_LIGHTNING_DENIED`, `ART_AGENT_LIGHTNING_REFUSED`, those of a resumed batch */
  run(): Promise<void> {
    return (this.#running ??= this.#runOnce());
  }

  /** Ends it. @param how `leave`: sessions work on for a later process. @default 'stop' */
  async close(how: 'stop' | 'leave' = 'stop'): Promise<void> {
    this.#isClosing = true;
    const ending = how === 'leave' ? this.#leaving : this.#deps.stopping;
    ending.abort(stoppingError('The controller is ending.'));
    await this.#running?.catch(() => undefined);
  }

  async #runOnce(): Promise<void> {
    const { journal, server, stopping, options } = this.#deps;
    try {
      const earlier = await journal.list();
      const running = Map.groupBy(await server.list('running'), runIdOf);
      const resumed = earlier.map((id) => new LightningRun(id, running.get(id) ?? [], this.#deps));
      const left = earlier.flatMap((id) => running.get(id) ?? []).length;
      const runId = newRunId();
      for (const id of [...earlier, runId]) this.#runs.add(id);
      const fresh = new LightningRun(runId, this.#waiting(runId), this.#deps);
      fresh.handle.limit = Math.max(1, options.maxConcurrentSessions - left);
      const finish = async (): Promise<void> => {
        await Promise.all(resumed.map((run) => run.work()));
        if (this.#ending.aborted) return;
        for (const id of earlier) await journal.remove(id);
        fresh.handle.limit = options.maxConcurrentSessions;
      };
      await Promise.all([fresh.work(), finish()]);
    } catch (error) {
      stopping.abort(error);
    }
    if (!this.#isClosing) throw stopping.signal.reason;
  }

  /** The rollouts that wait, each as soon as there is room for it; claimed, so that nobody else takes it. */
  async *#waiting(runId: string): AsyncGenerator<LightningRollout, void, undefined> {
    const { server, options } = this.#deps;
    const { maxConcurrentSessions, clock, pollMs = 1_000 } = options;
    const claim = { state: 'running', last_attempt_id: attemptIdOf(runId, 0) } as const;
    const error_message = 'ART_INVALID_PAYLOAD: Expected the input to be a JSON object.';
    const refusal = { state: 'failed', error_message } as const;
    for (;;) {
      await this.#failForsaken();
      let isIdle = true;
      for (const rollout of await server.list('queuing', maxConcurrentSessions)) {
        const isRunnable = isJsonObject(rollout.input);
        const isSet = await server.change(rollout.id, isRunnable ? claim : refusal);
        if (!isRunnable || !isSet) continue;
        isIdle = false;
        yield { ...rollout, updatedAtMs: clock.epochMs() };
      }
      if (isIdle) await pause(pollMs, { clock, signal: this.#ending });
    }
  }

  /** Fails what runs nowhere any more: nobody has said how it ended, long after its time. */
  async #failForsaken(): Promise<void> {
    const { clock, onNotice } = this.#deps.options;
    if (clock.nowMs() - this.#sweptAtMs < sweepMs) return;
    this.#sweptAtMs = clock.nowMs();
    for (const rollout of await this.#deps.server.list('running')) {
      const { id, timeoutMs, updatedAtMs, attemptId = '' } = rollout;
      const isLate = clock.epochMs() > updatedAtMs + timeoutMs + sweepMs;
      if (!isLate || this.#runs.has(runIdOf(rollout))) continue;
      const error_message = `ART_ROLLOUT_LOST: Its controller has not said how it ended within its ${timeoutMs / 1_000} s.`;
      const last_attempt_id = attemptIdOf(attemptId, 'none');
      await this.#deps.server.change(id, { state: 'failed', error_message, last_attempt_id });
      onNotice(`Rollout ${id} was given up. ${error_message}`);
    }
  }
}

import {
  callWithin,
  type Clock,
  ArtError,
  aNumber,
  unchecked,
  optional,
  type OptionRules,
  readOptions,
} from '@art/ground';
import { type ResultDocument, type RolloutOutcome } from '@art/protocol';
import { capturedBy, trajectoryOf } from '../gateway/trajectory-of.ts';
import type { RolloutTrajectory } from '../gateway/rollout-trajectory.ts';
import type { Rollout } from '../lifecycle/rollout.ts';
import type { RolloutState, RolloutTimings } from '../lifecycle/rollout-state.ts';
import { waitForRollout } from './wait-for-rollout.ts';

/** Options of `future.result`. */
export interface WaitOptions {
  /** Ends the rollout, and stops its session, when no result is there in time. @default no limit */
  timeoutMs?: number | undefined;
  /** Ends this wait only; the rollout continues and can be waited for again. */
  signal?: AbortSignal | undefined;
}

const waitRules = {
  timeoutMs: optional(aNumber({ min: 0 })),
  signal: unchecked(),
} satisfies OptionRules<WaitOptions>;

/**
 * A rollout that the agent has accepted. The result is fetched and the session stopped as soon as it is there, whether
 * anybody waits or not. Not thenable: `await client.invoke(...)` gives this handle, `await future.result()` the document.
 */
export class RolloutFuture {
  readonly #rollout: Rollout;
  readonly #clock: Clock;
  readonly #createdMs: number;

  /** Made by `RolloutClient.invoke`. */
  constructor(rollout: Rollout, clock: Clock) {
    this.#rollout = rollout;
    this.#clock = clock;
    this.#createdMs = clock.nowMs();
  }

  get inputId(): string {
    return this.#rollout.request.inputId;
  }

  get sessionId(): string {
    return this.#rollout.request.sessionId;
  }

  /** Where its result is stored; undefined where it comes from the session, as is `resultKey`. */
  get bucket(): string | undefined {
    return this.#rollout.request.bucket;
  }

  get resultKey(): string | undefined {
    return this.#rollout.request.resultKey;
  }

  get state(): RolloutState {
    return this.#rollout.state;
  }

  get timings(): RolloutTimings {
    return this.#rollout.timings;
  }

  /** Milliseconds since the agent accepted, until the outcome was known. */
  get elapsedMs(): number {
    const state = this.#rollout.state;
    return (state.phase === 'settled' ? state.settledMs : this.#clock.nowMs()) - this.#createdMs;
  }

  /** True if the outcome is known. */
  done(): boolean {
    return this.#rollout.state.phase === 'settled';
  }

  /**
   * The agent's document. That of a handler that failed counts as one (`status_code` is not 200 then), as in the Python
   * client: before you train on it, look at `status_code`, or use `outcome`, which tells by `kind` and has the document too.
   * @throws ArtError with the outcome's code when there is no readable document; the signal's reason when aborted.
   */
  async result(options: WaitOptions = {}): Promise<ResultDocument> {
    const outcome = await this.outcome(options);
    if (outcome.kind === 'ok') return outcome.document;
    if ('document' in outcome && outcome.document !== undefined) return outcome.document;
    throw outcome.error;
  }

  /**
   * The outcome of the rollout as a value: failures do not throw.
   * @throws the signal's reason when aborted; ArtError `ART_INVALID_OPTION`.
   */
  async outcome(options: WaitOptions = {}): Promise<RolloutOutcome> {
    const { timeoutMs, signal } = readOptions('a wait', options, waitRules);
    signal?.throwIfAborted();
    const { settled } = this.#rollout;
    const wanted = callWithin(() => settled, { signal });
    return await waitForRollout(this.#rollout, wanted, { clock: this.#clock, timeoutMs });
  }

  /**
   * The samples of the rollout from the client's gateway, joined with reward and outcome. Waits for the outcome as
   * `outcome` does. A rollout that failed has no rows.
   * @throws ArtError `ART_INVALID_OPTION` without a gateway; GatewayError if the gateway could not be asked: a repeated
   * call gets the same answer; the signal's reason when aborted.
   */
  async trajectory(options: WaitOptions = {}): Promise<RolloutTrajectory> {
    capturedBy(this.#rollout);
    await this.outcome(options);
    return await callWithin(() => trajectoryOf(this.#rollout), { signal: options.signal });
  }

  /**
   * Gives the rollout up and stops its session. Resolves when the session has been told.
   * @returns whether this call ended it: false when the outcome was already known.
   */
  async cancel(reason?: unknown): Promise<boolean> {
    this.#rollout.cancel(reason);
    await waitForRollout(this.#rollout, this.#rollout.finished, { clock: this.#clock });
    const outcome = await this.#rollout.settled;
    return (
      outcome.kind === 'cancelled' && ArtError.isInstance(outcome.error) && outcome.error.cause === reason
    );
  }
}

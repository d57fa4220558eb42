import {
  ArtError,
  describeThrown,
  describeValue,
  growingPauseMs,
  isJsonObject,
  jsonIn,
  retryPatiently,
  shownUrl,
} from '@art/ground';
import type { ResolvedLightningOptions } from './agent-lightning-options.ts';
import { type LightningRollout, readLightningRollout } from './lightning-rollout.ts';

/** Fields of a rollout's status that a controller sets. */
export interface LightningStatus {
  state: 'running' | 'succeeded' | 'failed';
  last_attempt_id?: string;
  error_message?: string;
}

/** The rollouts of one server of Agent Lightning 1.0. A server that is away is waited for; one that refuses ends the call with an ArtError. */
export class LightningServer {
  readonly #options: ResolvedLightningOptions;
  readonly #ending: AbortSignal;
  #isAway = false;

  /** @param ending once it aborts, a call that fails is not done again */
  constructor(options: ResolvedLightningOptions, ending: AbortSignal) {
    this.#options = options;
    this.#ending = ending;
  }

  /** Rollouts in one state, the oldest first. In a list of several states those that run would hide those that wait. */
  async list(state: 'queuing' | 'running', limit = 1_000_000): Promise<LightningRollout[]> {
    const path = `/api/rollouts?state_in=${state}&limit=${limit}`;
    const { status, body } = await this.#call('GET', path);
    const rollouts = Array.isArray(body) ? body.map(readLightningRollout) : [undefined];
    if (rollouts.every((rollout) => rollout !== undefined)) return rollouts;
    throw this.#refused(path, status, body);
  }

  /** Sets the status of a rollout. @returns false where it is gone, or somebody else has set it */
  async change(id: string, status: LightningStatus): Promise<boolean> {
    const path = `/api/rollouts/${encodeURIComponent(id)}`;
    const reply = await this.#call('PATCH', path, { status });
    if (reply.status !== 409) return reply.status === 200;
    // The answer to an earlier try may have been lost.
    const { body } = await this.#call('GET', path);
    const found = isJsonObject(body) ? readLightningRollout(body['rollout']) : undefined;
    return found?.state === status.state && found.attemptId === status.last_attempt_id;
  }

  /** Adds a reward to the events of an attempt, of which the last one counts. */
  async reward(id: string, attemptId: string, value: number): Promise<void> {
    const path = `/api/rollouts/${encodeURIComponent(id)}/attempt/${attemptId}/events`;
    await this.#call('POST', path, { event_type: 'reward', data: { value, source: 'agent' } });
  }

  async #call(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
    const { url, clock, onNotice } = this.#options;
    const reply = await retryPatiently(() => this.#once(method, path, body), {
      isRetryable: (error) => !ArtError.isInstance(error) && !this.#ending.aborted,
      pauseMs: (failures, error) => {
        // A moment's trouble passes unseen.
        if (failures > 1 && !this.#isAway) {
          this.#isAway = true;
          const { cause = error } = error as Error;
          onNotice(`Waiting for Agent Lightning at ${shownUrl(url)}: ${describeThrown(cause).message}.`);
        }
        return growingPauseMs(failures, { firstMs: 250, longestMs: 5_000, jitter: 0.5 });
      },
      clock,
    });
    if (this.#isAway) onNotice(`Agent Lightning at ${shownUrl(url)} answers again.`);
    this.#isAway = false;
    return reply;
  }

  async #once(method: string, path: string, sent?: object): Promise<{ status: number; body: unknown }> {
    const { url, key } = this.#options;
    const response = await fetch(url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      ...(sent && { body: JSON.stringify(sent) }),
      // The key goes to the server that was named, and nowhere else.
      redirect: 'error',
      signal: AbortSignal.timeout(30_000),
    });
    const { status } = response;
    const body = jsonIn(await response.text());
    if (status === 429 || status >= 500) throw new Error(`it answered ${status}`);
    if ([200, 404, 409].includes(status)) return { status, body };
    if (status !== 401 && status !== 403) throw this.#refused(path, status, body);
    throw new ArtError({
      code: 'ART_AGENT_LIGHTNING_DENIED',
      message: `Expected the key of Agent Lightning at ${shownUrl(url)}, got ${key === undefined ? 'none' : 'another one'}. Set AGL_KEY to the key of its server.`,
    });
  }

  #refused(path: string, status: number, body: unknown): ArtError {
    return new ArtError({
      code: 'ART_AGENT_LIGHTNING_REFUSED',
      message: `Expected ${shownUrl(this.#options.url + path)} to answer as Agent Lightning 1.0 does, got ${status} with ${describeValue(body)}. Give --agent-lightning the address of its server.`,
    });
  }
}

import {
  ArtError,
  type Clock,
  describeValue,
  growingPauseMs,
  isJsonObject,
  type JsonObject,
  jsonIn,
  retryPatiently,
  shownUrl,
} from '@art/ground';
import { type LightningRollout, readLightningRollout } from './lightning-rollout.ts';

export interface LightningServerOptions {
  /** Without a slash at its end. */
  url: string;
  /** Sent as Bearer key. */
  key: string | undefined;
  clock: Clock;
  onNotice: (message: string) => void;
  /** Once it aborts, a call that fails is not done again. */
  ending: AbortSignal;
}

/** Fields of a rollout's status that a controller sets. */
export interface LightningStatus {
  state: 'running' | 'succeeded' | 'failed';
  last_attempt_id?: string | undefined;
  error_message?: string | undefined;
}

interface Reply {
  status: number;
  body: unknown;
}

const answerWithinMs = 30_000;
const pauses = { firstMs: 250, longestMs: 5_000, jitter: 0.5 };
// A moment's trouble passes unseen.
const failuresToTell = 2;

/** The rollouts of one server of Agent Lightning 1.0. A server that is away is waited for. */
export class LightningServer {
  readonly #options: LightningServerOptions;
  #isAway = false;

  constructor(options: LightningServerOptions) {
    this.#options = options;
  }

  /**
   * Rollouts in one state, the oldest first. In a list of several states those that run would hide those that wait.
   * @throws ArtError `ART_AGENT_LIGHTNING_DENIED`, `ART_AGENT_LIGHTNING_REFUSED`, `ART_AGENT_LIGHTNING_UNREACHABLE`
   */
  async list(state: 'queuing' | 'running', limit: number): Promise<LightningRollout[]> {
    const path = `/api/rollouts?state_in=${state}&limit=${limit}`;
    const { status, body } = await this.#call('GET', path);
    const rollouts = Array.isArray(body) ? body.map(readLightningRollout) : [undefined];
    if (status === 200 && rollouts.every((rollout) => rollout !== undefined)) return rollouts;
    throw this.#refused('GET', path, { status, body });
  }

  /**
   * Sets the status of a rollout.
   * @returns false where it is gone, or somebody else has set it
   * @throws ArtError as `list`
   */
  async change(id: string, status: LightningStatus): Promise<boolean> {
    const path = `/api/rollouts/${encodeURIComponent(id)}`;
    const reply = await this.#call('PATCH', path, { status });
    if (reply.status !== 409) return reply.status === 200;
    // The answer to an earlier try may have been lost.
    const { body } = await this.#call('GET', path);
    const found = isJsonObject(body) ? readLightningRollout(body['rollout']) : undefined;
    return found?.state === status.state && found.attemptId === status.last_attempt_id;
  }

  /**
   * Adds a reward to what was captured of an attempt. The last one counts.
   * @throws ArtError as `list`
   */
  async reward(id: string, attemptId: string, value: number): Promise<void> {
    const path = `/api/rollouts/${encodeURIComponent(id)}/attempt/${attemptId}/events`;
    await this.#call('POST', path, { event_type: 'reward', data: { value, source: 'agent' } });
  }

  async #call(method: string, path: string, body?: JsonObject | { status: LightningStatus }): Promise<Reply> {
    const { clock, ending, onNotice, url } = this.#options;
    const reply = await retryPatiently(() => this.#once(method, path, body), {
      isRetryable: (error) => isOutage(error) && !ending.aborted,
      pauseMs: (failures, error) => {
        if (failures === failuresToTell && !this.#isAway) {
          this.#isAway = true;
          onNotice(`Waiting for Agent Lightning. ${(error as Error).message}`);
        }
        return growingPauseMs(failures, pauses);
      },
      clock,
    });
    if (this.#isAway) onNotice(`Agent Lightning at ${shownUrl(url)} answers again.`);
    this.#isAway = false;
    return reply;
  }

  async #once(method: string, path: string, body: object | undefined): Promise<Reply> {
    const { url, key } = this.#options;
    const request: RequestInit = {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // The key goes to the server that was named, and nowhere else.
      redirect: 'error',
      signal: AbortSignal.timeout(answerWithinMs),
    };
    let reply: Reply;
    try {
      const response = await fetch(url + path, request);
      reply = { status: response.status, body: jsonIn(await response.text()) };
    } catch (error) {
      const { cause, message } = error as Error;
      throw this.#outage(cause instanceof Error ? cause.message || cause.name : message, error);
    }
    const { status } = reply;
    if (status === 429 || status >= 500) throw this.#outage(`it answered ${status}`);
    if (status === 401 || status === 403) {
      throw new ArtError({
        code: 'ART_AGENT_LIGHTNING_DENIED',
        message: `Expected the key of Agent Lightning at ${shownUrl(url)}, got ${key === undefined ? 'none' : 'another one'}. Set AGL_KEY to the key of its server.`,
      });
    }
    if (![200, 404, 409].includes(status)) throw this.#refused(method, path, reply);
    return reply;
  }

  #outage(why: string, cause?: unknown): ArtError {
    return new ArtError({
      code: 'ART_AGENT_LIGHTNING_UNREACHABLE',
      message: `Expected an answer of ${shownUrl(this.#options.url)}, got none: ${why}.`,
      cause,
    });
  }

  #refused(method: string, path: string, { status, body }: Reply): ArtError {
    return new ArtError({
      code: 'ART_AGENT_LIGHTNING_REFUSED',
      message: `Expected ${method} ${shownUrl(this.#options.url)}${path} to answer as Agent Lightning 1.0 does, got ${status} with ${describeValue(body)}. Give --agent-lightning the address of its server.`,
    });
  }
}

function isOutage(error: unknown): boolean {
  return ArtError.isInstance(error) && error.code === 'ART_AGENT_LIGHTNING_UNREACHABLE';
}

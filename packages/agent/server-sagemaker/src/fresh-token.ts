import { type Clock, systemClock } from '@art/ground';
import { type AwsCredentials, bearerToken } from './bearer-token.ts';

/** Gives credentials; `forceRefresh` asks for newer ones than are kept. */
export type CredentialsProvider = (options?: { forceRefresh?: boolean }) => Promise<AwsCredentials>;

/**
 * A token is kept no longer, so that a rotation of the role's credentials is noticed before the service does. By both clocks: the
 * monotonic one stands still between a snapshot of the process and its restore, and the wall clock can be set back.
 */
const keptMs = 300_000;

/** The bearer token of one region, signed anew every five minutes, and when the service has refused it. */
export class FreshToken {
  readonly #credentials: CredentialsProvider;
  readonly #region: string;
  readonly #clock: Clock;
  #kept: { token: Promise<string>; atMs: number; atEpochMs: number } | undefined;

  constructor(credentials: CredentialsProvider, region: string, clock: Clock = systemClock) {
    this.#credentials = credentials;
    this.#region = region;
    this.#clock = clock;
  }

  /** @throws what the credentials' provider throws */
  get(): Promise<string> {
    const kept = this.#kept;
    if (kept === undefined) return this.#sign(false);
    const ageMs = Math.max(this.#clock.nowMs() - kept.atMs, Math.abs(this.#clock.epochMs() - kept.atEpochMs));
    return ageMs < keptMs ? kept.token : this.#sign(false);
  }

  /** A new token, unless somebody has asked for one since the refused one was signed. */
  async after(refused: string): Promise<string> {
    const kept = this.#kept;
    const current = await this.get();
    if (current !== refused) return current;
    return this.#kept === kept ? this.#sign(true) : this.get();
  }

  #sign(forceRefresh: boolean): Promise<string> {
    const token = (async () => {
      const credentials = await this.#credentials(forceRefresh ? { forceRefresh } : {});
      const signingDate = new Date(this.#clock.epochMs());
      return bearerToken({ credentials, region: this.#region, signingDate });
    })();
    const kept = { token, atMs: this.#clock.nowMs(), atEpochMs: this.#clock.epochMs() };
    this.#kept = kept;
    token.catch(() => {
      if (this.#kept === kept) this.#kept = undefined;
    });
    return token;
  }
}

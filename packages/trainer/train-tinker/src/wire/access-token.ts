import { type Clock, isJsonObject, jsonIn, readMember } from '@art/ground';

/** The key, or the token that the server gives for it, which is asked for anew at half of its life. */
export class AccessToken {
  readonly #apiKey: string;
  readonly #clock: Clock;
  readonly #exchange: () => Promise<unknown>;
  #isExchanged = false;
  #token: Promise<{ text: string; renewAtMs: number }> | undefined;

  /** @param exchange asks the server for `{ jwt }`, with the key */
  constructor(apiKey: string, exchange: () => Promise<unknown>, clock: Clock) {
    this.#apiKey = apiKey;
    this.#exchange = exchange;
    this.#clock = clock;
  }

  /** From now on the key is exchanged for tokens. */
  useExchange(): void {
    this.#isExchanged = true;
  }

  get isExchanged(): boolean {
    return this.#isExchanged;
  }

  async text(): Promise<string> {
    if (!this.#isExchanged) return this.#apiKey;
    const known = await this.#token;
    if (known !== undefined && this.#clock.epochMs() < known.renewAtMs) return known.text;
    this.#token = this.#renew();
    // A failure is told to anyone who waits, and the next one asks again.
    this.#token.catch(() => (this.#token = undefined));
    return (await this.#token).text;
  }

  /** The server does not take the token any more. */
  forget(): void {
    this.#token = undefined;
  }

  async #renew(): Promise<{ text: string; renewAtMs: number }> {
    const answer = await this.#exchange();
    const text = isJsonObject(answer) && typeof answer['jwt'] === 'string' ? answer['jwt'] : undefined;
    if (text === undefined) throw new Error('the server gave no token for the key');
    const nowMs = this.#clock.epochMs();
    return { text, renewAtMs: nowMs + (expiresAtMs(text) - nowMs) / 2 };
  }
}

/** When a JSON web token expires; one that does not say is not kept. */
function expiresAtMs(token: string): number {
  const claims = jsonIn(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  const expires = readMember(claims, 'exp');
  return typeof expires === 'number' ? expires * 1_000 : 0;
}

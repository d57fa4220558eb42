import type { CapturedReply } from '../../capture/captured-reply.ts';
import type { SessionSpending } from '../../sessions/session-spending.ts';

/** Counts one call against the ceilings of its session. What an engine does not count is counted by bytes, of which a token has at least one. */
export class CallCharge {
  readonly #spending: SessionSpending;
  readonly #promptBytes: number;
  #model: string | undefined;
  /** True if a request is out of whose answer nothing was counted. */
  #isOpen = false;

  constructor(spending: SessionSpending, promptBytes: number) {
    this.#spending = spending;
    this.#promptBytes = promptBytes;
  }

  /** A request is about to be sent. @throws ApiError 402 */
  begin(model: string | undefined): void {
    this.#model = model;
    this.#spending.begin(model);
    this.#isOpen = true;
  }

  /** @param wasSent the engine refused the request; else it had none */
  takeBack(wasSent: boolean): void {
    if (this.#isOpen) this.#spending.takeBack(wasSent);
    this.#isOpen = false;
  }

  answered({ model, usage, promptTokenIds, choices }: CapturedReply): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const prompt = usage.prompt ?? (promptTokenIds.length > 0 ? promptTokenIds.length : this.#promptBytes);
    const sampled = choices.map((choice) =>
      choice.hasTokenIds ? choice.tokenIds.length : Buffer.byteLength(choice.message),
    );
    const completion = usage.completion ?? sampled.reduce((sum, count) => sum + count, 0);
    this.#spending.count([model, this.#model], prompt, completion);
  }

  /** The call is over; where nobody counted what it brought, its own bytes count. */
  end(): void {
    if (this.#isOpen) this.#spending.count([this.#model], this.#promptBytes, 0);
    this.#isOpen = false;
  }
}

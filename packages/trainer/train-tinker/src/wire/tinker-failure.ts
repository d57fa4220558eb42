import { ArtError } from '@art/ground';
/** A request that the server did not answer with success. */
export class TinkerFailure extends Error {
  /** 0 where nobody answered. */
  readonly status: number;
  /** Pause that the server asks for, before the next try. */
  readonly retryAfterMs: number | undefined;
  readonly #shouldRetry: boolean | undefined;

  constructor(status: number, message: string, headers: Headers = new Headers(), cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.retryAfterMs = retryAfterOf(headers);
    const said = headers.get('x-should-retry');
    this.#shouldRetry = said === null ? undefined : said === 'true';
  }

  /** As Tinker's own client has it. */
  get isTransient(): boolean {
    const { status } = this;
    return (
      this.#shouldRetry ??
      (status === 0 || status === 408 || status === 409 || status === 429 || status >= 500)
    );
  }
}

function retryAfterOf(headers: Headers): number | undefined {
  const ms = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(ms)) return ms;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1_000 : undefined;
}

/** The answer behind an error; undefined where it is none of a server. */
export function tinkerFailureOf(error: unknown): TinkerFailure | undefined {
  const failure = ArtError.isInstance(error) ? error.cause : error;
  return failure instanceof TinkerFailure ? failure : undefined;
}

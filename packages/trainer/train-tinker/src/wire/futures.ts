import { ArtError, isJsonObject } from '@art/ground';
import { TinkerFailure } from './tinker-failure.ts';
import {
  jsonOf,
  longPollMs,
  type TinkerRequestBody,
  type RequestOptions,
  type ResponseBody,
  type TinkerRequests,
} from './tinker-requests.ts';

/** A request that the server answers later. */
export interface LaterRequest {
  path: string;
  body: TinkerRequestBody;
  /** Name for messages: `a pass over 3 rows`. */
  what: string;
  options?: RequestOptions;
}

/** Requests whose answer is a promise of the server's, which is asked for until it is kept. */
export class Futures {
  readonly #requests: TinkerRequests;
  readonly #onNotice: (message: string) => void;
  #toldState = '';

  constructor(requests: TinkerRequests, onNotice: (message: string) => void) {
    this.#requests = requests;
    this.#onNotice = onNotice;
  }

  /** @returns the id of the promise */
  async ask({ path, body, what, options }: LaterRequest): Promise<string> {
    const answer = jsonOf(await this.#requests.send(path, body, options));
    const id = isJsonObject(answer) ? answer['request_id'] : undefined;
    if (typeof id === 'string') return id;
    throw new ArtError({
      code: 'ART_TINKER_UNKNOWN_ANSWER',
      message: `Expected POST ${path} for ${what} to answer with a request_id, got ${(JSON.stringify(answer) ?? 'bytes').slice(0, 200)}.`,
    });
  }

  /**
   * Waits for a promise. One that the server has lost is asked for anew, by the request that it came from.
   * @throws ArtError `ART_TINKER_OPERATION_FAILED`
   */
  async result(requestId: string, request: LaterRequest, accept?: string): Promise<ResponseBody> {
    const { what, options = {} } = request;
    let [id, allowMetadata] = [requestId, true];
    for (;;) {
      options.signal?.throwIfAborted();
      const answer = await this.#retrieve(id, allowMetadata, { signal: options.signal, accept });
      if (answer === 'lost') {
        id = await this.ask(request);
        continue;
      }
      const json = jsonOf(answer);
      if (!isJsonObject(json)) return answer;
      if (json['type'] === 'try_again') this.#tellQueue(json);
      else if (json['status'] === 'complete_metadata') allowMetadata = false;
      else if (typeof json['error'] === 'string') throw operationFailed(what, json['error']);
      else return answer;
    }
  }

  async #retrieve(
    requestId: string,
    allowMetadata: boolean,
    options: RequestOptions,
  ): Promise<ResponseBody | 'lost'> {
    try {
      return await this.#requests.send(
        '/retrieve_future',
        { request_id: requestId, allow_metadata_only: allowMetadata },
        { ...options, answerWithinMs: longPollMs },
      );
    } catch (error) {
      if (error instanceof TinkerFailure && error.status === 410) return 'lost';
      // A long poll that ends without an answer says the same as `try_again`.
      if (ArtError.isInstance(error) && error.cause instanceof TinkerFailure && error.cause.status === 408)
        return { json: { type: 'try_again' } };
      throw error;
    }
  }

  #tellQueue({ queue_state: state, queue_state_reason: reason }: Record<string, unknown>): void {
    if (typeof state !== 'string' || state === this.#toldState) return;
    this.#toldState = state;
    if (state !== 'active')
      this.#onNotice(
        `The server holds requests back (${state}${typeof reason === 'string' ? `: ${reason}` : ''}). Waiting.`,
      );
  }
}

function operationFailed(what: string, error: string): ArtError {
  return new ArtError({
    code: 'ART_TINKER_OPERATION_FAILED',
    message: `${what.slice(0, 1).toUpperCase()}${what.slice(1)} failed: ${error}`,
  });
}

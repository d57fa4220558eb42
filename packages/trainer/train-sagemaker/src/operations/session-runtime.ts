import {
  type Clock,
  growingPauseMs,
  pause,
  retryPatiently,
  Semaphore,
  ArtError,
  isJsonObject,
} from '@art/ground';
import { AwsFailure } from '../wire/aws-failure.ts';
import type { SignedCalls } from '../wire/signed-calls.ts';
import { toArtError } from '../wire/to-art-error.ts';

/** About five minutes, as AWS's own SDK has it: the first operations of a session and samples behind a save meet errors for a while. */
const triesToSubmit = 150;
const submitPauses = { firstMs: 1_000, longestMs: 4_000, jitter: 1 };
/** Failed polls in a row. */
const triesToPoll = 150;
const mostAtOnce = 256;

export type OperationKind = 'operations' | 'sampling-operations';

/** One session's runtime: "SageMaker Training Session Runtime" 2025-02-10 in REST-JSON. */
export class SessionRuntime {
  readonly #calls: SignedCalls;
  readonly #path: string;
  readonly #pollMs: number;
  readonly #clock: Clock;
  readonly #turns = new Semaphore(mostAtOnce);

  constructor(calls: SignedCalls, name: string, { pollMs, clock }: { pollMs: number; clock: Clock }) {
    this.#calls = calls;
    this.#path = `/v1/training-sessions/${name}`;
    this.#pollMs = pollMs;
    this.#clock = clock;
  }

  /**
   * @param body the same in every try, its number and token included: a repeated submit is done once
   * @returns the id of the operation
   */
  async submit(kind: OperationKind, body: object, what: string, signal: AbortSignal): Promise<string> {
    try {
      const answer = await retryPatiently(
        () =>
          this.#turns.run(signal, () =>
            this.#calls.send({ method: 'POST', path: `${this.#path}/${kind}`, body, signal }),
          ),
        {
          isRetryable: isTransient,
          pauseMs: (failures) => growingPauseMs(failures, submitPauses),
          tries: triesToSubmit,
          signal,
          clock: this.#clock,
        },
      );
      const id = isJsonObject(answer) ? answer['operationId'] : undefined;
      if (typeof id === 'string') return id;
      throw unknownAnswer(what, 'an operationId', answer);
    } catch (error) {
      throw toArtError(`Submitting ${what}`, error);
    }
  }

  /** Asks for an operation until it has ended. @returns its result, the one member of the union that has its name */
  async result(
    kind: OperationKind,
    { id, member, what }: { id: string; member: string; what: string },
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    for (;;) {
      const answer = await this.#poll(kind, id, what, signal);
      const status = answer['status'];
      if (status === 'Completed') {
        const results = answer['operationResult'];
        const found = isJsonObject(results) ? results[member] : undefined;
        if (!isJsonObject(found)) throw unknownAnswer(what, `operationResult.${member}`, answer);
        return found;
      }
      if (status === 'Failed' || status === 'Skipped') {
        const details = answer['errorDetails'];
        const why =
          typeof details === 'string' && details !== ''
            ? details
            : status === 'Skipped'
              ? 'the session failed, and what was queued was not run'
              : 'the service said no more';
        throw new ArtError({
          code: 'ART_SAGEMAKER_OPERATION_FAILED',
          message: `${capital(what)} failed: ${why}.`,
        });
      }
      await pause(this.#pollMs, { signal, clock: this.#clock });
    }
  }

  async #poll(
    kind: OperationKind,
    id: string,
    what: string,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    try {
      const answer = await retryPatiently(
        () =>
          this.#turns.run(signal, () =>
            this.#calls.send({ method: 'GET', path: `${this.#path}/${kind}/${id}`, signal }),
          ),
        {
          isRetryable: isTransient,
          pauseMs: () => this.#pollMs,
          tries: triesToPoll,
          signal,
          clock: this.#clock,
        },
      );
      if (isJsonObject(answer) && typeof answer['status'] === 'string') return answer;
      throw unknownAnswer(what, 'a status', answer);
    } catch (error) {
      throw toArtError(`Asking for ${what}`, error);
    }
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof AwsFailure && error.isTransient;
}

function unknownAnswer(what: string, expected: string, got: unknown): ArtError {
  return new ArtError({
    code: 'ART_SAGEMAKER_UNKNOWN_ANSWER',
    message: `Expected the answer for ${what} to have ${expected}, got ${JSON.stringify(got).slice(0, 200)}.`,
  });
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { ArtError, describeValue } from '@art/ground';
import { type RequestContext, runWithContext } from '../request/request-context.ts';

/** A handler's answer in pieces: what a generator function returns, or a stream of a library. */
export type HandlerStream = AsyncIterable<unknown> | IterableIterator<unknown>;

/** True if a handler returned a stream: a generator, async or not, or anything else that is read piece by piece. */
export function isHandlerStream(value: unknown): value is HandlerStream {
  if (typeof value !== 'object' || value === null) return false;
  const candidate = value as Partial<AsyncIterable<unknown> & IterableIterator<unknown>> & {
    toJSON?: unknown;
  };
  if (typeof candidate.toJSON === 'function') return false;
  return (
    typeof candidate[Symbol.asyncIterator] === 'function' ||
    // A list or a Map can be gone through as well, but has nothing of its own that steps.
    (typeof candidate.next === 'function' && typeof candidate[Symbol.iterator] === 'function')
  );
}

/** The steps of a stream, each taken with the handler's context. */
export class StreamSteps {
  readonly #steps: AsyncIterator<unknown> | Iterator<unknown>;
  readonly #context: RequestContext;

  constructor(stream: HandlerStream, context: RequestContext) {
    this.#steps = Symbol.asyncIterator in stream ? stream[Symbol.asyncIterator]() : stream[Symbol.iterator]();
    this.#context = context;
  }

  next(): Promise<IteratorResult<unknown, unknown>> {
    return runWithContext(this.#context, async () => this.#steps.next());
  }

  /** Lets a generator run its `finally` blocks: now where it rests at a `yield`, else when it comes to one. */
  async close(): Promise<void> {
    await runWithContext(this.#context, async () => this.#steps.return?.());
  }
}

// A generator that never waits for anything would else keep pings, signals and time limits from being seen.
const stepsPerTurn = 256;

/**
 * Reads the stream of a rollout's handler to its end. What it yields is for users and goes to nobody here; what it returns is the
 * result. When the context's signal aborts it is closed, which ends it at its next `yield`.
 * @param name whose stream it is, for the message
 * @returns what the generator returned
 * @throws ArtError `ART_INVALID_RESULT` where it returned nothing; what it throws; the signal's reason where it was closed
 */
export async function drainStream(
  stream: HandlerStream,
  { name, context }: { name: string; context: RequestContext },
): Promise<unknown> {
  const { signal } = context;
  const steps = new StreamSteps(stream, context);
  let closed: Promise<void> | undefined;
  const close = (): void => {
    closed = steps
      .close()
      .catch((error: unknown) =>
        context.log.warn({ err: error }, 'A stream that was closed ended with an error'),
      );
  };
  if (signal.aborted) close();
  else signal.addEventListener('abort', close, { once: true });
  try {
    for (let taken = 1; ; taken += 1) {
      const step = await steps.next();
      if (step.done === true && step.value !== undefined) return step.value;
      await closed;
      signal.throwIfAborted();
      if (step.done === true) throw nothingReturned(name, stream);
      if (taken % stepsPerTurn === 0) await nextTurn();
    }
  } finally {
    signal.removeEventListener('abort', close);
  }
}

function nothingReturned(name: string, stream: HandlerStream): ArtError {
  return new ArtError({
    code: 'ART_INVALID_RESULT',
    message: `Expected the stream of ${name} (${describeValue(stream)}) to return a result at its end, got nothing. In a rollout what it yields goes to nobody, and what it returns is the result. Write "async *process" with "yield" for users, and "return { text, reward }" as its last line for trainers.`,
  });
}

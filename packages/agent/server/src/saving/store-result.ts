import { callWithin, pause, ArtError, describeThrown, JsonCopy } from '@art/ground';
import { type PutOutcome, type ResultStore, StoreError } from '@art/store';
import type { FastifyBaseLogger } from 'fastify';
import type { RolloutFailure } from '../document/rollout-ending.ts';
import { type DocumentForm, failureDocument, type RolloutDocument } from '../document/rollout-document.ts';

/** Where a rollout's document goes, and what the server adds to it. */
export interface ResultDestination extends DocumentForm {
  store: ResultStore;
}

/**
 * - `stored`: the document is there.
 * - `exists`: another one was there first and stays; the first result wins.
 * - `replaced`: the store refused the document and took a short error document that says so.
 * - `unsaved`: nothing could be stored; the log has the document.
 */
export type StoreOutcome = 'stored' | 'exists' | 'replaced' | 'unsaved';

/** The end of the process, as its rollouts see it. */
export interface ProcessEnd {
  /** Aborts, with why, when it begins: what is left is stored without long pauses, and there is no hold. */
  terminating: AbortSignal;
  /** Aborts after that, when no time is left at all: what cannot be stored at once goes into the log. */
  outOfTime: AbortSignal;
}

export interface StoreResultOptions extends ProcessEnd {
  log: FastifyBaseLogger;
  /** How long it is tried again after nothing could be stored. @default 300_000 */
  unsavedHoldMs?: number | undefined;
  /** Called with the reason why nothing can be stored, as soon as waiting for it makes little sense; undefined once it was stored all the same. */
  onUnsaved?: ((reason: string | undefined) => void) | undefined;
}

/** Pauses between the first tries, so there is one try more than pauses. */
const retryDelaysMs = [250, 1_000, 4_000];
/** Between the tries after nothing could be stored. */
const holdDelayMs = 10_000;
/** A failure that no store explains is taken as lasting when it has lasted so long. */
const tellAfterMs = 30_000;
/** Longest pause of a process that is to end. */
const terminatingDelayMs = 250;
/** Longest that one try may take. */
const tryLimitMs = 60_000;

/** Stores a rollout's document. Never throws: what cannot be stored is in the log, as one JSON line. */
export function storeResult(
  document: RolloutDocument,
  destination: ResultDestination,
  options: StoreResultOptions,
): Promise<StoreOutcome> {
  return new Saving(document, destination, options).run();
}

class Saving {
  readonly #where: { s3Bucket: string; resultKey: string };
  readonly #document: RolloutDocument;
  readonly #destination: ResultDestination;
  readonly #options: StoreResultOptions;
  /** True if an earlier try may have stored the document although it failed. */
  #ambiguous = false;
  #logged = false;
  /** The error of the last try to store the whole document. */
  #failure: unknown;
  #isTold = false;

  constructor(document: RolloutDocument, destination: ResultDestination, options: StoreResultOptions) {
    this.#where = { s3Bucket: destination.at.bucket, resultKey: destination.at.key };
    this.#document = document;
    this.#destination = destination;
    this.#options = options;
  }

  async run(): Promise<StoreOutcome> {
    const outcome = await this.#save();
    this.#tell(outcome === 'unsaved');
    return outcome;
  }

  async #save(): Promise<StoreOutcome> {
    const { unsavedHoldMs = 300_000, terminating, outOfTime } = this.#options;
    const first = await this.#try(retryDelaysMs, terminating.aborted || unsavedHoldMs === 0);
    if (first !== undefined) return first;
    this.#logWhole('Nothing could be stored; this line is the only trace of the result so far');

    const heldMs = performance.now();
    const endMs = heldMs + unsavedHoldMs;
    while (performance.now() < endMs && !outOfTime.aborted) {
      const kind = storeFailureKind(this.#failure);
      const isLasting =
        kind === 'unwelcome' || (kind === 'unclear' && performance.now() >= heldMs + tellAfterMs);
      if (isLasting) this.#tell(true);
      await this.#wait(Math.min(holdDelayMs, endMs - performance.now()));
      const isLast = terminating.aborted || performance.now() >= endMs;
      const outcome = await this.#try([], isLast);
      if (outcome !== undefined) return outcome;
      if (terminating.aborted) break;
    }
    this.#options.log.error(this.#where, 'Gave up storing the result');
    return 'unsaved';
  }

  /** Tries once, and once more after each pause. Undefined when nothing was stored. */
  async #try(delaysMs: readonly number[], isLast: boolean): Promise<StoreOutcome | undefined> {
    const { log } = this.#options;
    const whole = await this.#put(this.#document.text, delaysMs);
    if ('outcome' in whole) {
      const isOther = whole.outcome.kind === 'exists' && !this.#ambiguous;
      if (isOther) log.warn(this.#where, 'A result was stored before; it stays');
      else log.info(this.#where, 'Result stored');
      return isOther ? 'exists' : 'stored';
    }
    this.#failure = whole.error;
    log.error({ ...this.#where, err: whole.error }, 'The result could not be stored');
    const kind = storeFailureKind(whole.error);
    // While the store has a bad moment the result itself may still get through, and must not be given up for a notice.
    if (kind === 'passing' && !isLast) return undefined;
    const text = shortDocument(whole.error, this.#destination);
    const short = await this.#put(text, kind === 'unwelcome' ? delaysMs : []);
    if (!('outcome' in short)) return undefined;
    if (short.outcome.kind === 'exists') return this.#ambiguous ? 'stored' : 'exists';
    this.#logWhole('Stored an error document instead of this result');
    return 'replaced';
  }

  async #put(
    text: string,
    delaysMs: readonly number[],
  ): Promise<{ outcome: PutOutcome } | { error: unknown }> {
    const { log, outOfTime } = this.#options;
    for (let index = 0; ; index += 1) {
      try {
        return { outcome: await this.#putOnce(text) };
      } catch (error) {
        const kind = storeFailureKind(error);
        if (kind === 'unclear') this.#ambiguous = true;
        const delayMs = delaysMs[index];
        if (delayMs === undefined || kind === 'unwelcome' || outOfTime.aborted) return { error };
        log.warn({ ...this.#where, err: error }, 'Storing the result failed; trying again');
        await this.#wait(delayMs);
      }
    }
  }

  // A store may take too long and ignore its signal: a write that never ends would keep the session busy for hours. The late end
  // of such a write changes nothing, since of two documents the first one stays.
  #putOnce(text: string): Promise<PutOutcome> {
    const { store, at } = this.#destination;
    return callWithin((signal) => store.put(at, text, { ifAbsent: true, signal }), {
      signal: this.#options.outOfTime,
      timeoutMs: tryLimitMs,
      timeoutError: (limitMs) =>
        new ArtError({
          code: 'ART_STORE_FAILED',
          message: `The store did not answer within ${limitMs} ms.`,
        }),
    });
  }

  /** Waits between two tries. Never rejects, and leaves no timer or listener. */
  async #wait(delayMs: number): Promise<void> {
    const { terminating, outOfTime } = this.#options;
    const [waitMs, signal] = terminating.aborted
      ? [Math.min(delayMs, terminatingDelayMs), outOfTime]
      : [delayMs, terminating];
    // The signal ends the wait.
    await pause(waitMs, { signal }).catch(() => undefined);
  }

  /** Says that nothing can be stored, or that it could after all. */
  #tell(isUnsaved: boolean): void {
    if (this.#isTold === isUnsaved) return;
    this.#isTold = isUnsaved;
    this.#options.onUnsaved?.(isUnsaved ? reasonOf(this.#failure) : undefined);
  }

  /** Writes the whole document as one line of the log, once. */
  #logWhole(message: string): void {
    if (this.#logged) return;
    this.#logged = true;
    // Text, not an object: the logger shortens deep objects, and nothing of this may be lost. Line breaks inside JSON
    // strings are escaped, so those that are left are layout.
    const document = this.#document.text.replaceAll(/\n */g, '');
    this.#options.log.error({ ...this.#where, document }, message);
  }
}

const mostCharacters = 16_384;
const mostReasonCharacters = 2_000;

/**
 * A small error document that says why the rollout's own could not be stored. It keeps as much of the payload as fits:
 * all of it, else `_rollout`, else nothing.
 */
function shortDocument(storeError: unknown, form: DocumentForm): string {
  const reason = new Error(reasonOf(storeError));
  // The stack is that of the server and tells the reader of the document nothing.
  reason.stack = reason.message;
  // A document that no store takes is the agent's doing; all else is the store's.
  const ending: RolloutFailure =
    storeFailureKind(storeError) === 'unwelcome' && !isDenied(storeError)
      ? { kind: 'threw', error: reason }
      : {
          kind: 'infrastructure',
          error: reason,
          failure: { message: reason.message, endpoint: undefined },
        };
  const { payload } = form;
  let text = '';
  for (const kept of [payload, payload.only('_rollout'), new JsonCopy({})]) {
    ({ text } = failureDocument(ending, { ...form, payload: kept }));
    if (text.length <= mostCharacters) break;
  }
  return text;
}

function reasonOf(error: unknown): string {
  const { message } = describeThrown(error);
  const cut =
    message.length > mostReasonCharacters ? `${message.slice(0, mostReasonCharacters)} ...` : message;
  return `The result could not be stored: ${cut} The log of the agent has the whole document.`;
}

/**
 * The meaning of a failed write for the next one.
 * - `passing`: the failure is temporary; the same document may be stored later.
 * - `unwelcome`: this document is never stored, however often it is tried.
 * - `unclear`: neither is known.
 */
type StoreFailureKind = 'passing' | 'unwelcome' | 'unclear';

// What every store refuses before it writes.
const refusals = new Set<unknown>([
  'ART_INVALID_BUCKET',
  'ART_INVALID_RESULT_KEY',
  'ART_INVALID_RESULT_BODY',
]);

// Credentials of a role come back without anybody's doing.
const passingCodes = new Set<unknown>(['ART_STORE_BUSY', 'ART_STORE_NO_CREDENTIALS']);

function isDenied(error: unknown): boolean {
  return ArtError.isInstance(error) && error.code === 'ART_STORE_DENIED';
}

/** Sorts the error of a store's `put`: whether it is worth another try is for the store's driver to say. */
function storeFailureKind(error: unknown): StoreFailureKind {
  if (!ArtError.isInstance(error)) return 'unclear';
  if (passingCodes.has(error.code)) return 'passing';
  const isLasting = StoreError.isInstance(error) ? !error.retryable : refusals.has(error.code);
  return isLasting ? 'unwelcome' : 'unclear';
}

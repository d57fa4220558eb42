import { callWithin, pause } from '@art/async';
import { ArtError, describeThrown, JsonCopy } from '@art/protocol';
import { type PutOutcome, type ResultStore, StoreError } from '@art/store';
import type { FastifyBaseLogger } from 'fastify';
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

/** How hard it is tried to store a document. */
export interface SavingPolicy {
  /** Pauses between tries, so there is one try more than pauses. @default [250, 1_000, 4_000] */
  retryDelaysMs: readonly number[];
  /** Longest that one try may take. @default 60_000 */
  tryLimitMs: number;
  /** How long it is tried again after nothing could be stored. @default 300_000 */
  unsavedHoldMs: number;
  /** Pause between those tries. @default 10_000 */
  unsavedRetryMs: number;
}

export const defaultSavingPolicy: SavingPolicy = {
  retryDelaysMs: [250, 1_000, 4_000],
  tryLimitMs: 60_000,
  unsavedHoldMs: 300_000,
  unsavedRetryMs: 10_000,
};

export interface StoreResultOptions {
  log: FastifyBaseLogger;
  policy: SavingPolicy;
  /** Aborts when the process is to end: what is left is tried at once, and there is no hold. */
  hurry: AbortSignal;
  /** Aborts when no time is left at all. */
  deadline: AbortSignal;
}

/** Stores a rollout's document. Never throws: what cannot be stored is in the log, as one JSON line. */
export async function storeResult(
  document: RolloutDocument,
  destination: ResultDestination,
  options: StoreResultOptions,
): Promise<StoreOutcome> {
  const saving = new Saving(document, destination, options);
  const { policy, hurry, deadline } = options;
  const first = await saving.try(policy.retryDelaysMs, hurry.aborted || policy.unsavedHoldMs === 0);
  if (first !== undefined) return first;
  saving.logWhole('Nothing could be stored; this line is the only trace of the result so far');

  const endMs = performance.now() + policy.unsavedHoldMs;
  while (performance.now() < endMs && !deadline.aborted) {
    await waitUnlessHurried(Math.min(policy.unsavedRetryMs, endMs - performance.now()), options);
    const isLast = hurry.aborted || performance.now() >= endMs;
    const outcome = await saving.try([], isLast);
    if (outcome !== undefined) return outcome;
    if (hurry.aborted) break;
  }
  options.log.error(saving.where, 'Gave up storing the result');
  return 'unsaved';
}

class Saving {
  readonly where: { s3Bucket: string; resultKey: string };
  readonly #document: RolloutDocument;
  readonly #destination: ResultDestination;
  readonly #options: StoreResultOptions;
  /** Whether an earlier try may have stored the document although it failed. */
  #ambiguous = false;
  #logged = false;

  constructor(document: RolloutDocument, destination: ResultDestination, options: StoreResultOptions) {
    this.where = { s3Bucket: destination.at.bucket, resultKey: destination.at.key };
    this.#document = document;
    this.#destination = destination;
    this.#options = options;
  }

  /** Writes the whole document as one line of the log, once. */
  logWhole(message: string): void {
    if (this.#logged) return;
    this.#logged = true;
    this.#options.log.error({ ...this.where, document: oneLine(this.#document.text) }, message);
  }

  /** Tries once, and once more after each pause. Undefined when nothing was stored. */
  async try(delaysMs: readonly number[], isLast: boolean): Promise<StoreOutcome | undefined> {
    const { log } = this.#options;
    const whole = await this.#put(this.#document.text, delaysMs);
    if ('outcome' in whole) {
      const isOther = whole.outcome.kind === 'exists' && !this.#ambiguous;
      if (isOther) log.warn(this.where, 'A result was stored before; it stays');
      else log.info(this.where, 'Result stored');
      return isOther ? 'exists' : 'stored';
    }
    log.error({ ...this.where, err: whole.error }, 'The result could not be stored');
    const kind = storeFailureKind(whole.error);
    // While the store has a bad moment the result itself may still get through, and must not be given up for a notice.
    if (kind === 'passing' && !isLast) return undefined;
    const short = await this.#put(
      shortDocument(whole.error, this.#destination),
      kind === 'unwelcome' ? delaysMs : [],
    );
    if (!('outcome' in short)) return undefined;
    if (short.outcome.kind === 'exists') return this.#ambiguous ? 'stored' : 'exists';
    this.logWhole('Stored an error document instead of this result');
    return 'replaced';
  }

  async #put(
    text: string,
    delaysMs: readonly number[],
  ): Promise<{ outcome: PutOutcome } | { error: unknown }> {
    const { log, deadline } = this.#options;
    for (let index = 0; ; index += 1) {
      try {
        return { outcome: await this.#putOnce(text) };
      } catch (error) {
        const kind = storeFailureKind(error);
        if (kind === 'unclear') this.#ambiguous = true;
        const delayMs = delaysMs[index];
        if (delayMs === undefined || kind === 'unwelcome' || deadline.aborted) return { error };
        log.warn({ ...this.where, err: error }, 'Storing the result failed; trying again');
        await waitUnlessHurried(delayMs, this.#options);
      }
    }
  }

  // A store may take too long and ignore its signal: a write that never ends would keep the session busy for hours. The late end
  // of such a write changes nothing, since of two documents the first one stays.
  #putOnce(text: string): Promise<PutOutcome> {
    const { store, at } = this.#destination;
    const { policy, deadline } = this.#options;
    return callWithin((signal) => store.put(at, text, { ifAbsent: true, signal }), {
      signal: deadline,
      timeoutMs: policy.tryLimitMs,
      timeoutError: (limitMs) =>
        new ArtError({
          code: 'ART_STORE_FAILED',
          message: `The store did not answer within ${limitMs} ms.`,
        }),
    });
  }
}

// Text, not an object: the logger shortens deep objects, and nothing of this may be lost. Line breaks inside JSON
// strings are escaped, so those that are left are layout.
function oneLine(text: string): string {
  return text.replaceAll(/\n */g, '');
}

/** Of a process that is to end. */
const hurriedMs = 250;

/** Waits between two tries. Never rejects, and leaves no timer or listener. */
async function waitUnlessHurried(
  delayMs: number,
  { hurry, deadline }: Pick<StoreResultOptions, 'hurry' | 'deadline'>,
): Promise<void> {
  const signal = hurry.aborted ? deadline : AbortSignal.any([deadline, hurry]);
  const waitMs = hurry.aborted ? Math.min(delayMs, hurriedMs) : delayMs;
  try {
    await pause(waitMs, { signal });
  } catch {
    // The wait has been ended.
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
  const { payload } = form;
  let text = '';
  for (const kept of [payload, payload.only('_rollout'), new JsonCopy({})]) {
    ({ text } = failureDocument({ kind: 'threw', error: reason }, { ...form, payload: kept }));
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
 * What a failed write says about the next one.
 * - `passing`: the store has a bad moment; the same document may go through.
 * - `unwelcome`: this document will not be taken, however often it is tried.
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

/** Sorts the error of a store's `put`: whether it is worth another try is for the store's driver to say. */
function storeFailureKind(error: unknown): StoreFailureKind {
  if (!ArtError.isInstance(error)) return 'unclear';
  if (passingCodes.has(error.code)) return 'passing';
  const isLasting = StoreError.isInstance(error) ? !error.retryable : refusals.has(error.code);
  return isLasting ? 'unwelcome' : 'unclear';
}

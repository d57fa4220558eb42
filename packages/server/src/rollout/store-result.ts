import { setTimeout as sleep } from 'node:timers/promises';
import type { ResultDocumentContext } from '@art/protocol';
import type { ResultLocation, ResultStore } from '@art/store';
import type { FastifyBaseLogger } from 'fastify';
import { failureDocument, type RolloutDocument } from './rollout-document.ts';

/** Where a rollout's document goes, and what the server adds to it. */
export interface ResultDestination {
  store: ResultStore;
  at: ResultLocation;
  documentContext: ResultDocumentContext;
}

/**
 * - `stored`: the document is there.
 * - `exists`: another one was there first and stays; the first result wins.
 * - `replaced`: the store refused the document and took a short error document that says so.
 * - `unsaved`: nothing could be stored; the log has the document.
 */
export type StoreOutcome = { kind: 'stored' | 'exists' | 'replaced' | 'unsaved' };

export interface StoreResultOptions {
  log: FastifyBaseLogger;
  /** Pauses between tries, so there is one try more than pauses. @default [250, 1_000, 4_000] */
  retryDelaysMs?: readonly number[];
  /** Ends the tries early. */
  signal?: AbortSignal | undefined;
}

/** Stores a rollout's document. Never throws: what cannot be stored ends in the log as one JSON line. */
export async function storeResult(
  document: RolloutDocument,
  destination: ResultDestination,
  options: StoreResultOptions,
): Promise<StoreOutcome> {
  const { log, signal } = options;
  const where = { s3Bucket: destination.at.bucket, resultKey: destination.at.key };
  try {
    const { kind } = await putWithRetries(document.text, destination, options);
    if (kind === 'exists') log.warn(where, 'A result was stored before; it stays');
    else log.info(where, 'Result stored');
    return { kind };
  } catch (storeError) {
    log.error({ ...where, err: storeError }, 'The result could not be stored');
    try {
      // Perhaps only this document is unwelcome, by its size for one; the caller must not wait for nothing.
      const text = shortFailure(storeError, destination.documentContext);
      const { kind } = await destination.store.put(destination.at, text, { ifAbsent: true, signal });
      log.error(
        { ...where, document: oneLine(document.text) },
        'Stored an error document instead of this result',
      );
      return { kind: kind === 'exists' ? 'exists' : 'replaced' };
    } catch (secondError) {
      log.error(
        { ...where, document: oneLine(document.text), err: secondError },
        'Nothing could be stored; this line is the only trace of the result',
      );
      return { kind: 'unsaved' };
    }
  }
}

async function putWithRetries(
  text: string,
  { store, at }: ResultDestination,
  { log, signal, retryDelaysMs = [250, 1_000, 4_000] }: StoreResultOptions,
): Promise<{ kind: 'stored' | 'exists' }> {
  for (const delayMs of retryDelaysMs) {
    try {
      return await store.put(at, text, { ifAbsent: true, signal });
    } catch (error) {
      if (signal?.aborted === true) throw error;
      log.warn({ resultKey: at.key, err: error }, `Storing the result failed; next try in ${delayMs} ms`);
      await sleep(delayMs, undefined, { signal });
    }
  }
  return store.put(at, text, { ifAbsent: true, signal });
}

const shortDocumentCharacters = 1_000_000;

function shortFailure(error: unknown, context: ResultDocumentContext): string {
  const { text } = failureDocument(error, context);
  return text.length <= shortDocumentCharacters
    ? text
    : failureDocument(error, { ...context, payload: {} }).text;
}

// Text, not an object: the logger shortens deep objects, and nothing of this may be lost. Line breaks inside JSON
// strings are escaped, so those that are left are layout.
function oneLine(text: string): string {
  return text.replaceAll(/\n */g, '');
}

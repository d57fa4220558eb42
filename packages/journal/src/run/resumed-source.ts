import { ArtError } from '@art/protocol';
import { indexedSource, type Indexed, type IndexedSource } from './indexed-source.ts';
import { PayloadDigests, payloadDigest } from '../history/payload-digests.ts';
import type { RunHistory } from '../history/run-history.ts';

const mostNamed = 5;

/**
 * What of a source is still to be done. Whatever the journal knows of the payloads is compared first: all of them where
 * their number was known, otherwise those that were reached, which a source of unknown length is read ahead for. Only
 * payloads that are still open are kept.
 * @throws ArtError `ART_JOURNAL_PAYLOADS_CHANGED`; what the source throws
 */
export async function resumedSource<T>(
  values: Iterable<T> | AsyncIterable<T>,
  history: RunHistory,
  signal: AbortSignal | undefined,
): Promise<IndexedSource<T>> {
  const source = indexedSource(values);
  const { digests } = history;
  if (digests !== undefined && Array.isArray(values)) {
    await compareAll(values, digests, signal);
    return openItems([], source, history, undefined);
  }
  try {
    const kept = await compareReached(source, history, digests, signal);
    return openItems(kept, source, history, digests);
  } catch (error) {
    source.close();
    throw error;
  }
}

async function compareAll(
  values: readonly unknown[],
  recorded: PayloadDigests,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (values.length !== recorded.count) throw countChanged(recorded.count, values.length);
  const given = await PayloadDigests.of(values, signal);
  const changed: number[] = [];
  for (let index = 0; index < given.count; index += 1)
    if (given.at(index) !== recorded.at(index)) changed.push(index);
  if (changed.length > 0) throw payloadsChanged(changed);
}

async function compareReached<T>(
  source: IndexedSource<T>,
  history: RunHistory,
  digests: PayloadDigests | undefined,
  signal: AbortSignal | undefined,
): Promise<Indexed<T>[]> {
  const kept: Indexed<T>[] = [];
  const changed: number[] = [];
  while (source.seen < history.itemEnd) {
    signal?.throwIfAborted();
    const item = await source.next();
    if (item === undefined) throw countChanged(history.itemEnd, source.seen);
    const recorded = digests?.at(item.index) ?? history.digestOf(item.index);
    if (recorded !== undefined && recorded !== payloadDigest(item.value)) changed.push(item.index);
    else if (!history.isAcknowledged(item.index)) kept.push(item);
  }
  if (changed.length > 0) throw payloadsChanged(changed);
  return kept;
}

/** @param digests of payloads that have not been compared yet */
function openItems<T>(
  kept: Indexed<T>[],
  source: IndexedSource<T>,
  history: RunHistory,
  digests: PayloadDigests | undefined,
): IndexedSource<T> {
  const waiting = kept.toReversed();
  return {
    get seen() {
      return source.seen;
    },
    async next() {
      const first = waiting.pop();
      if (first !== undefined) return first;
      for (;;) {
        const item = await source.next();
        const { payloadCount } = history;
        const wasLast = payloadCount !== undefined && source.seen >= payloadCount;
        if (item === undefined) {
          if (payloadCount !== undefined && !wasLast) throw countChanged(payloadCount, source.seen);
          return undefined;
        }
        if (payloadCount !== undefined && source.seen > payloadCount)
          throw countChanged(payloadCount, source.seen);
        if (digests !== undefined && digests.at(item.index) !== payloadDigest(item.value))
          throw payloadsChanged([item.index]);
        if (!history.isAcknowledged(item.index)) return item;
      }
    },
    close: () => source.close(),
  };
}

function countChanged(expected: number, got: number): ArtError {
  return new ArtError({
    code: 'ART_JOURNAL_PAYLOADS_CHANGED',
    message: `Expected the ${expected} payloads that the run was started with, got ${got}. Give the same ones, or start a new run.`,
  });
}

function payloadsChanged(indices: readonly number[]): ArtError {
  const named = indices.slice(0, mostNamed).join(', ');
  const more = indices.length > mostNamed ? ` and ${indices.length - mostNamed} more` : '';
  return new ArtError({
    code: 'ART_JOURNAL_PAYLOADS_CHANGED',
    message: `Expected the payloads that the run was started with, got others at index ${named}${more}. Give the same ones in the same order, or start a new run.`,
  });
}

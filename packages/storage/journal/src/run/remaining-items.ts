import { ArtError } from '@art/ground';
import { payloadDigest } from '../history/payload-digest.ts';
import type { RunHistory } from '../history/run-history.ts';
import { itemSource, type Item, type ItemName, type ItemSource } from './item-source.ts';

const mostNamed = 5;
// Comparing a long list gives way to the rest of the process so often.
const perTurn = 500;

/**
 * The data of a run that is still to be done: everything that is not acknowledged. Items are known by their ids, so the
 * data may be in another order, filtered or longer. Items of the journal are compared first; data of unknown length is
 * read ahead for that as far as the run had come, and compared further when it is met.
 * @throws ArtError `ART_JOURNAL_PAYLOADS_CHANGED`; errors of the data; the signal's reason
 */
export async function remainingItems<Input>(
  data: Iterable<Input> | AsyncIterable<Input>,
  nameOf: ItemName<Input> | undefined,
  history: RunHistory,
  signal: AbortSignal | undefined,
): Promise<ItemSource<Input>> {
  const source = itemSource(data, nameOf);
  const readEnd = Array.isArray(data) ? data.length : history.reachedEnd;
  try {
    return withoutAcknowledged(await readAhead(source, readEnd, history, signal), source, history);
  } catch (error) {
    source.close();
    throw error;
  }
}

/** The items up to where all are found that the journal knows, but those that are acknowledged. */
async function readAhead<Input>(
  source: ItemSource<Input>,
  readEnd: number,
  history: RunHistory,
  signal: AbortSignal | undefined,
): Promise<Item<Input>[]> {
  const ahead: Item<Input>[] = [];
  const changed: string[] = [];
  for (let found = 0; found < history.knownCount && source.seen < readEnd;) {
    if (source.seen % perTurn === 0) await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    const item = await source.next();
    if (item === undefined) break;
    if (history.isKnown(item.id)) found += 1;
    if (isChanged(item, history)) changed.push(item.id);
    else if (!history.isAcknowledged(item.id)) ahead.push(item);
  }
  if (changed.length > 0) throw payloadsChanged(changed);
  return ahead;
}

function withoutAcknowledged<Input>(
  ahead: Item<Input>[],
  source: ItemSource<Input>,
  history: RunHistory,
): ItemSource<Input> {
  const waiting = ahead.toReversed();
  return {
    get seen() {
      return source.seen;
    },
    async next() {
      const first = waiting.pop();
      if (first !== undefined) return first;
      for (;;) {
        const item = await source.next();
        if (item !== undefined && isChanged(item, history)) throw payloadsChanged([item.id]);
        if (item === undefined || !history.isAcknowledged(item.id)) return item;
      }
    },
    close: () => source.close(),
  };
}

function isChanged({ id, input }: Item<unknown>, history: RunHistory): boolean {
  const recorded = history.digestOf(id);
  return recorded !== undefined && recorded !== payloadDigest(input);
}

function payloadsChanged(ids: readonly string[]): ArtError {
  const named = ids.slice(0, mostNamed).map((id) => JSON.stringify(id));
  const more = ids.length > mostNamed ? ` and ${ids.length - mostNamed} more` : '';
  return new ArtError({
    code: 'ART_JOURNAL_PAYLOADS_CHANGED',
    message: `Expected the payloads that the run was started with, got others for item ${named.join(', ')}${more}. Give the same ones, or start a new run. Without \`inputId\` an item is named by its position: give \`inputId\` to a run whose data may be reordered or filtered.`,
  });
}

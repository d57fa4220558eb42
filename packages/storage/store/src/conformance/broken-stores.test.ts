import { describe, expect, it } from 'vitest';
import { compareKeys } from '../sorted-keys.ts';
import { MemoryResultStore } from '../memory-result-store.ts';
import type {
  ListRange,
  ListPage,
  PutOptions,
  PutOutcome,
  ResultLocation,
  StoreWatch,
  WatchRange,
} from '../result-store.ts';
import { resultStoreChecks } from './index.ts';

/** Stores with one fault each, and the check that must find it: a suite that passes everything proves nothing. */
const faults: { fault: string; foundBy: string; store: MemoryResultStore }[] = [
  {
    fault: 'normalises the text of bodies',
    foundBy: 'body.unicode',
    store: new (class extends MemoryResultStore {
      override async get(at: ResultLocation): Promise<string | undefined> {
        return (await super.get(at))?.normalize();
      }
    })(),
  },
  {
    fault: 'drops a byte order mark',
    foundBy: 'body.verbatim',
    store: new (class extends MemoryResultStore {
      override async get(at: ResultLocation): Promise<string | undefined> {
        return (await super.get(at))?.replace(/^\ufeff/, '');
      }
    })(),
  },
  {
    fault: 'takes an empty body for a missing one',
    foundBy: 'body.empty',
    store: new (class extends MemoryResultStore {
      override async get(at: ResultLocation): Promise<string | undefined> {
        const body = await super.get(at);
        return body === '' ? undefined : body;
      }
    })(),
  },
  {
    fault: 'writes in place, in two steps',
    foundBy: 'body.whole',
    store: new (class extends MemoryResultStore {
      override async put(at: ResultLocation, body: string, options?: PutOptions): Promise<PutOutcome> {
        await super.put(at, body.slice(0, body.length / 2), options);
        await new Promise((resolve) => setImmediate(resolve));
        return super.put(at, body);
      }
    })(),
  },
  {
    fault: 'looks first and writes then, for ifAbsent',
    foundBy: 'if-absent.race',
    store: new (class extends MemoryResultStore {
      override async put(at: ResultLocation, body: string, options: PutOptions = {}): Promise<PutOutcome> {
        if (options.ifAbsent === true && (await this.exists(at))) return { kind: 'exists' };
        return super.put(at, body, { signal: options.signal });
      }
    })(),
  },
  {
    fault: 'ignores capitals',
    foundBy: 'keys.case',
    store: new (class extends MemoryResultStore {
      override put(at: ResultLocation, body: string, options?: PutOptions): Promise<PutOutcome> {
        return super.put({ ...at, key: at.key.toLowerCase() }, body, options);
      }
      override get(at: ResultLocation): Promise<string | undefined> {
        return super.get({ ...at, key: at.key.toLowerCase() });
      }
    })(),
  },
  {
    fault: 'decodes keys as if they came from a URL',
    foundBy: 'keys.percent',
    store: new (class extends MemoryResultStore {
      override get(at: ResultLocation): Promise<string | undefined> {
        return super.get({ ...at, key: decodeURIComponent(at.key.replaceAll('%zz', '')) });
      }
    })(),
  },
  {
    fault: 'sorts by UTF-16 units',
    foundBy: 'list.utf8-order',
    store: new (class extends MemoryResultStore {
      override async list(range: ListRange): Promise<ListPage> {
        const page = await super.list(range);
        return { ...page, keys: page.keys.toSorted() };
      }
    })(),
  },
  {
    fault: 'lists directory by directory',
    foundBy: 'list.slash-order',
    store: new (class extends MemoryResultStore {
      override async list(range: ListRange): Promise<ListPage> {
        const page = await super.list(range);
        const slashFirst = (key: string): string => key.replaceAll('/', '\u0001');
        return { ...page, keys: page.keys.toSorted((a, b) => compareKeys(slashFirst(a), slashFirst(b))) };
      }
    })(),
  },
  {
    fault: 'says truncated for every full page',
    foundBy: 'list.limit',
    store: new (class extends MemoryResultStore {
      override async list(range: ListRange): Promise<ListPage> {
        const page = await super.list(range);
        return { ...page, truncated: page.keys.length === (range.limit ?? 1_000) };
      }
    })(),
  },
  {
    fault: 'treats a prefix as a directory',
    foundBy: 'list.prefix',
    store: new (class extends MemoryResultStore {
      override list(range: ListRange): Promise<ListPage> {
        return super.list({
          ...range,
          prefix: range.prefix.endsWith('/') ? range.prefix : `${range.prefix}/`,
        });
      }
    })(),
  },
  {
    fault: 'ignores an aborted signal',
    foundBy: 'signal.aborted-before',
    store: new (class extends MemoryResultStore {
      override put(at: ResultLocation, body: string): Promise<PutOutcome> {
        return super.put(at, body);
      }
    })(),
  },
  {
    fault: 'leaves a listener on the signal',
    foundBy: 'signal.no-leak',
    store: new (class extends MemoryResultStore {
      override put(at: ResultLocation, body: string, options: PutOptions = {}): Promise<PutOutcome> {
        options.signal?.addEventListener('abort', () => undefined);
        return super.put(at, body, options);
      }
    })(),
  },
  {
    fault: 'reports keys outside of the watched prefix',
    foundBy: 'watch.prefix',
    store: new (class extends MemoryResultStore {
      override watch(range: WatchRange, onKey: (key: string) => void): Promise<StoreWatch> {
        return super.watch({ ...range, prefix: range.prefix.slice(0, -1) }, onKey);
      }
    })(),
  },
  {
    fault: 'continues reporting after close',
    foundBy: 'watch.close',
    store: new (class extends MemoryResultStore {
      override async watch(range: WatchRange, onKey: (key: string) => void): Promise<StoreWatch> {
        await super.watch(range, onKey);
        return { close: async () => undefined };
      }
    })(),
  },
];

describe('the conformance suite', () => {
  it.each(faults)('finds a store that $fault: $foundBy', async ({ foundBy, store }) => {
    const check = resultStoreChecks.find(({ id }) => id === foundBy);
    expect(check).toBeDefined();
    await expect(check?.run({ store: new MemoryResultStore(), bucket: 'sound' })).resolves.toBeUndefined();
    await expect(check?.run({ store, bucket: 'broken' })).rejects.toBeInstanceOf(Error);
  });
});

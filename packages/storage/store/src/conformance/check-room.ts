import { randomUUID } from 'node:crypto';
import type {
  ListPage,
  ListRange,
  PutOptions,
  PutOutcome,
  ResultLocation,
  ResultStore,
} from '../result-store.ts';
import type { ResultStoreCapability, ResultStoreCheck } from './result-store-check.ts';

/** A store seen from one check: addresses are relative to keys that no other check, and no other run, uses. */
export interface CheckRoom {
  store: ResultStore;
  bucket: string;
  /** Beginning of all keys of the check; ends with a slash. */
  prefix: string;
  at(name: string): ResultLocation;
  put(name: string, body?: string, options?: PutOptions): Promise<PutOutcome>;
  get(name: string): Promise<string | undefined>;
  exists(name: string): Promise<boolean>;
  /** Names relative to the room, all pages of them. */
  listAll(range?: Partial<Omit<ListRange, 'bucket'>>): Promise<string[]>;
  /** One page, with names relative to the room. */
  listPage(range?: Partial<Omit<ListRange, 'bucket'>>): Promise<ListPage>;
}

export interface CheckInit {
  id: string;
  name: string;
  requires?: ResultStoreCapability;
  /** @default 120_000 */
  timeoutMs?: number;
  run: (room: CheckRoom) => Promise<void>;
}

/** Makes a check whose `run` gets its own room. */
export function defineCheck(init: CheckInit): ResultStoreCheck {
  const { id, name, requires, timeoutMs = 120_000, run } = init;
  return {
    id,
    name,
    timeoutMs,
    ...(requires !== undefined && { requires }),
    run: ({ store, bucket }) => run(openRoom(store, bucket, `conformance/${id}/${randomUUID()}/`)),
  };
}

function openRoom(store: ResultStore, bucket: string, prefix: string): CheckRoom {
  const at = (name: string): ResultLocation => ({ bucket, key: prefix + name });
  const listPage: CheckRoom['listPage'] = async (range = {}) => {
    if (store.list === undefined) throw new Error('A check that lists must say requires: "list".');
    const page = await store.list({
      ...range,
      bucket,
      prefix: prefix + (range.prefix ?? ''),
      ...(range.startAfter !== undefined && { startAfter: prefix + range.startAfter }),
    });
    return { keys: page.keys.map((key) => relative(key, prefix)), truncated: page.truncated };
  };
  return {
    store,
    bucket,
    prefix,
    at,
    put: (name, body = '{}', options = {}) => store.put(at(name), body, options),
    get: (name) => store.get(at(name)),
    exists: (name) => store.exists(at(name)),
    listPage,
    listAll: async (range = {}) => {
      const names: string[] = [];
      let startAfter = range.startAfter;
      for (;;) {
        const page = await listPage({ ...range, ...(startAfter !== undefined && { startAfter }) });
        names.push(...page.keys);
        startAfter = page.keys.at(-1);
        if (!page.truncated) return names;
        if (startAfter === undefined)
          throw new Error('list answered an empty page and said that more follow.');
      }
    },
  };
}

function relative(key: string, prefix: string): string {
  if (!key.startsWith(prefix)) throw new Error(`list answered ${JSON.stringify(key)}, not under ${prefix}`);
  return key.slice(prefix.length);
}

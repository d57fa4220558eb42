import type { ResolvedGatewayOptions } from '../options/resolve-gateway-options.ts';
import { shardDirectory } from './shard-layout.ts';

/** The options of one process: its part of the store, and what all have to agree on. */
export function shardOptions(
  all: ResolvedGatewayOptions,
  index: number,
  keySecret: string,
): ResolvedGatewayOptions {
  const { processes, store, auth } = all;
  return {
    ...all,
    processes: 1,
    // They come from the front, as those do that are added later.
    workers: [],
    auth: { ...auth, keySecret },
    store:
      store.kind === 'given' ? store : { kind: 'own', options: shareOf(store.options, index, processes) },
  };
}

type OwnStore = Extract<ResolvedGatewayOptions['store'], { kind: 'own' }>['options'];

function shareOf(store: OwnStore, index: number, processes: number): OwnStore {
  const share = (bound: number | undefined): number | undefined =>
    bound === undefined ? undefined : Math.ceil(bound / processes);
  return {
    ...store,
    directory: store.directory === undefined ? undefined : shardDirectory(store.directory, index, processes),
    maxSessions: share(store.maxSessions),
    maxBytes: share(store.maxBytes),
  };
}

import type { ResolvedGatewayOptions } from '../options/resolve-gateway-options.ts';
import { DiskTraceStore } from '../store/disk/disk-trace-store.ts';
import { MemoryTraceStore } from '../store/memory-trace-store.ts';
import type { TraceStore } from '../store/trace-store.ts';

/** A trace store, and whether closing it is the gateway's business. */
export interface OpenedStore {
  store: TraceStore;
  owned: boolean;
}

/** @throws ArtError `ART_GATEWAY_STORE_LOCKED`, `ART_GATEWAY_STORE_FAILED` */
export async function openStore(wanted: ResolvedGatewayOptions['store']): Promise<OpenedStore> {
  if (wanted.kind === 'given') return { store: wanted.store, owned: false };
  const { directory, durability, maxSessions, maxBytes, ttlMs } = wanted.options;
  const bounds = { maxSessions, maxBytes, ttlMs: ttlMs === 0 ? Number.POSITIVE_INFINITY : ttlMs };
  if (directory === undefined) return { store: new MemoryTraceStore(bounds), owned: true };
  return { store: await DiskTraceStore.open({ ...bounds, directory, durability }), owned: true };
}

import { refuseOption } from '@art/ground';
import type { ResultStore } from './result-store.ts';

/**
 * Opens the store that a URL names. Called when the store is first needed, once for each `resultStoreFromUrl`. Nobody closes
 * the store: its connections must not keep a process alive.
 */
export type StoreDriver = (url: URL) => ResultStore;

// Shared by all copies of this package in a process: a driver may have been installed with another one than the agent.
const registry = Symbol.for('@art/store drivers');
const shared = globalThis as { [registry]?: Map<string, StoreDriver> };

/** Schemes that this package opens itself, and S3, which is its own package. */
const builtIn: ReadonlySet<string> = new Set(['file', 'memory', 'mount', 's3']);

/**
 * Lets {@link resultStoreFromUrl}, and with it `ART_RESULT_STORE`, open URLs of a scheme. A later driver of the same scheme
 * takes the place of an earlier one.
 * @param scheme without the colon: `redis` for `redis://host/0`
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function registerStoreDriver(scheme: string, open: StoreDriver): void {
  if (typeof scheme !== 'string' || !/^[a-z][a-z0-9+.-]*$/.test(scheme) || builtIn.has(scheme)) {
    const others = [...builtIn].join(', ');
    refuseOption(
      'scheme',
      `lower-case letters, digits, "+", "." and "-", a letter first, and none of ${others}`,
      scheme,
    );
  }
  if (typeof open !== 'function') {
    refuseOption('open', `a function of a URL, for the scheme ${scheme}`, open);
  }
  (shared[registry] ??= new Map()).set(scheme, open);
}

export function storeDriver(scheme: string): StoreDriver | undefined {
  return shared[registry]?.get(scheme);
}

/** Schemes that {@link registerStoreDriver} was called with. */
export function registeredSchemes(): string[] {
  return [...(shared[registry]?.keys() ?? [])];
}

import { ArtError, describeValue } from '@art/ground';
import { isResultStore, type ResultStore, resultStoreFromEnvironment } from '@art/store';

/** A store, or a function that makes one. The function is called once, when the first rollout needs it. */
export type ResultStoreOption =
  | ResultStore
  | (() => ResultStore | undefined | Promise<ResultStore | undefined>);

/**
 * Opens the result store when the first rollout wants it, not before: credentials that exist before the first healthy
 * ping would be cloned into every session that starts from a memory snapshot (platform version V2).
 * @param option @default the store that `ART_RESULT_STORE` names
 * @returns gives the store; throws ArtError `ART_NO_RESULT_STORE`, or whatever the function threw, and then the next rollout tries
 *   again
 */
export function storeOpener(
  option: ResultStoreOption = () => resultStoreFromEnvironment(),
): () => Promise<ResultStore> {
  let opening: Promise<ResultStore> | undefined;
  return async () => {
    opening ??= openStore(option);
    try {
      return await opening;
    } catch (error) {
      opening = undefined;
      throw error;
    }
  };
}

async function openStore(option: ResultStoreOption): Promise<ResultStore> {
  const store: unknown = typeof option === 'function' ? await option() : option;
  if (isResultStore(store)) return store;
  throw new ArtError({
    code: 'ART_NO_RESULT_STORE',
    message:
      store === undefined
        ? 'The rollout wants its result stored, but the agent has no result store. Set ART_RESULT_STORE (for example file:///tmp/results) or pass resultStore to AgentCoreRLApp.'
        : `Expected resultStore to give an object with put, get and exists, got ${describeValue(store)}.`,
  });
}

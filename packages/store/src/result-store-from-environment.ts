import { ArtError } from '@art/protocol';
import type { ResultStore } from './result-store.ts';
import { resultStoreFromUrl } from './result-store-from-url.ts';

/** The environment variable that names the store of an agent, as a URL. */
export const resultStoreVariable = 'ART_RESULT_STORE';

/**
 * The store that `ART_RESULT_STORE` names; undefined where it is not set or empty. Reads the environment when called.
 * @param env @default process.env
 * @throws ArtError `ART_INVALID_OPTION`, see {@link resultStoreFromUrl}
 */
export function resultStoreFromEnvironment(
  env: Readonly<Record<string, string | undefined>> = process.env,
): ResultStore | undefined {
  const url = env[resultStoreVariable];
  if (url === undefined || url === '') return undefined;
  try {
    return resultStoreFromUrl(url);
  } catch (error) {
    if (!ArtError.isInstance(error)) throw error;
    throw new ArtError({
      code: error.code,
      message: `${resultStoreVariable}: ${error.message}`,
      cause: error,
    });
  }
}

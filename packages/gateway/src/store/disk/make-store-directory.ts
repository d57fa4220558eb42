import { ArtError, makeDirectory } from '@art/protocol';
import { diskFailure, isDiskFull } from './disk-failure.ts';

/** Makes a directory for a store, readable for its user only: traces hold what users said to agents. */
export async function makeStoreDirectory(directory: string): Promise<void> {
  try {
    await makeDirectory(directory, 0o700);
  } catch (error) {
    const failure = diskFailure(directory, error);
    if (isDiskFull(failure)) throw failure;
    throw new ArtError({
      code: 'ART_GATEWAY_STORE_FAILED',
      message: `Expected a directory of traces that exists or can be made at ${directory}, got ${(error as Error).message}. Choose a place that this process may write to.`,
      cause: error,
    });
  }
}

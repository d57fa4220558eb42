export { checkBody, checkListRange, checkLocation, checkWatchRange } from './check-store-input.ts';
export { compareKeys } from './compare-keys.ts';
export { FileResultStore, type FileResultStoreOptions } from './file/file-result-store.ts';
export type { StaleFile } from './file/temporary-directory.ts';
export { assertInsideRoot, realPathInside } from './file/inside-root.ts';
export { makeDirectory } from './file/make-directory.ts';
export { bucketPath, resultPath } from './file/result-path.ts';
export { isResultStore } from './is-result-store.ts';
export { MemoryResultStore } from './memory-result-store.ts';
export type {
  ListPage,
  ListRange,
  PutOptions,
  PutOutcome,
  ResultLocation,
  ResultStore,
  StoreWatch,
  WatchRange,
} from './result-store.ts';
export { resultStoreFromEnvironment, resultStoreVariable } from './result-store-from-environment.ts';
export { resultStoreFromUrl } from './result-store-from-url.ts';
export { registerStoreDriver, type StoreDriver } from './store-driver.ts';
export { StoreError, type StoreErrorInit } from './store-error.ts';

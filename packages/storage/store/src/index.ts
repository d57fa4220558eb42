export { checkBody, checkListRange, checkLocation, checkWatchRange } from './check-store-input.ts';
export { FileResultStore, type FileResultStoreOptions } from './file/file-result-store.ts';
export { errnoOf, isNotThere, undefinedIfNotThere } from './file/file-failure.ts';
export { assertInsideRoot, realPathInside } from './file/inside-root.ts';
export { bucketPath, resultPath } from './file/result-path.ts';
export type { StaleFile } from './file/stale-files.ts';
export { TemporaryFiles } from './file/temporary-files.ts';
export { replaceFile, type UnfinishedFile } from './file/unfinished-file.ts';
export { MemoryResultStore } from './memory-result-store.ts';
export {
  isResultStore,
  type ListPage,
  type ListRange,
  type PutOptions,
  type PutOutcome,
  type ResultLocation,
  type ResultStore,
  type StoreWatch,
  type WatchRange,
} from './result-store.ts';
export {
  resultStoreFromEnvironment,
  checkResultStoreVariable,
  resultStoreFromUrl,
  resultStoreVariable,
} from './result-store-from-url.ts';
export { compareKeys, SortedKeys } from './sorted-keys.ts';
export { registerStoreDriver, type StoreDriver } from './store-driver.ts';
export { refuseCall, StoreError, type StoreErrorInit } from './store-error.ts';

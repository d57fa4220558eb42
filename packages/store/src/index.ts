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
export { StoreError, type StoreErrorInit } from './store-error.ts';

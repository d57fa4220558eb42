export { S3ResultStore } from './s3-result-store.ts';
export type { S3ResultStoreOptions, S3StoreWarning } from './s3-result-store-options.ts';

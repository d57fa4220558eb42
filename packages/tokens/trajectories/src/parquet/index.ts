export { trainingRowsToParquet } from './training-rows-to-parquet.ts';

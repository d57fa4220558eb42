import { compareKeys } from '@art/store';
import { randomLcg } from 'd3-random';

/** Every this many older results, one has an input id of the kind that this project generates. */
const generatedIdEvery = 4;
const rolloutsPerBatch = 512;

/**
 * Result keys that earlier runs left in an experiment, in the order in which S3 lists them: mostly random ids, as the
 * Python toolkit makes them, and batches with generated ids.
 */
export function historyKeys(expId: string, count: number, seed: number): string[] {
  const random = randomLcg(seed);
  const uuid = (): string => {
    const hex = Array.from({ length: 4 }, () => hex32(random())).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
  const keys = Array.from({ length: count }, (_, index) => {
    if (index % generatedIdEvery !== 0) return `${expId}/${uuid()}/${uuid()}.json`;
    const position = index / generatedIdEvery;
    const batch = Math.floor(position / rolloutsPerBatch);
    const batchId = `b${(1_700_000_000_000 + batch * 60_000).toString(36).padStart(9, '0')}${hex32(batch / 1e6)}`;
    return `${expId}/${batchId}-${String(position % rolloutsPerBatch).padStart(8, '0')}/${uuid()}.json`;
  });
  return keys.toSorted(compareKeys);
}

function hex32(unit: number): string {
  return Math.floor(unit * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}

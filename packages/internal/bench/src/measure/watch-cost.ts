import type { RequestCounts } from '../endpoint/request-counts.ts';

/** S3's prices in us-east-1: $0.005 for 1,000 LIST requests, $0.0004 for 1,000 HEAD or GET requests. */
const listCostInHeads = 12.5;

/** Cost of looking for results, in HEADs. The one read that each result needs is not in it. */
export function watchCostInHeads(counts: RequestCounts): number {
  return counts.head + counts.getMissing + counts.list * listCostInHeads;
}

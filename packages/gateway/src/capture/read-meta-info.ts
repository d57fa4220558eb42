import { GrowingFloats, type JsonScanner, readNumber } from '@art/json-bytes';
import type { RoutedExperts, WeightVersionSpan } from '@art/trajectories';
import type { Logprobs } from './read-logprobs.ts';
import { readRoutedExperts } from './read-routed-experts.ts';
import { readWeightVersion, readWeightVersions } from './read-weight-versions.ts';

/** What SGLang tells of a choice in its `meta_info`, or of a reply in its `metadata`. */
export interface MetaInfo {
  weightVersion?: string | undefined;
  weightVersions?: readonly WeightVersionSpan[];
  routedExperts?: RoutedExperts | undefined;
  /** Logprobs with ids, from `output_token_logprobs`: `[[logprob, id, text], ...]`. */
  logprobs?: Logprobs | undefined;
}

/** Reads `meta_info` or `metadata` and goes past it. */
export function readMetaInfo(scanner: JsonScanner, assumed: RoutedExperts['encoding']): MetaInfo {
  const info: MetaInfo = {};
  if (scanner.peek() !== 0x7b) {
    scanner.skipValue();
    return info;
  }
  for (let more = scanner.firstMember(); more; more = scanner.nextMember()) {
    switch (scanner.key()) {
      case 'weight_version':
        info.weightVersion = readWeightVersion(scanner);
        break;
      case 'weight_versions':
        info.weightVersions = readWeightVersions(scanner);
        break;
      case 'routed_experts':
        info.routedExperts = readRoutedExperts(scanner, assumed);
        break;
      case 'output_token_logprobs':
        info.logprobs = readTuples(scanner);
        break;
      default:
        scanner.skipValue();
    }
  }
  return info;
}

function readTuples(scanner: JsonScanner): Logprobs | undefined {
  if (scanner.peek() !== 0x5b) {
    scanner.skipValue();
    return undefined;
  }
  const values = new GrowingFloats();
  const ids: number[] = [];
  for (let more = scanner.firstItem(); more; more = scanner.nextItem()) {
    const tuple: number[] = [];
    if (scanner.peek() !== 0x5b) scanner.skipValue();
    else {
      for (let next = scanner.firstItem(); next; next = scanner.nextItem()) tuple.push(readNumber(scanner));
    }
    values.push(tuple[0] ?? Number.NaN);
    const id = tuple[1];
    if (id !== undefined && Number.isInteger(id) && id >= 0) ids.push(id);
  }
  const isWhole = ids.length === values.length;
  return { values: values.toArray(), tokenIds: isWhole ? Int32Array.from(ids) : undefined };
}

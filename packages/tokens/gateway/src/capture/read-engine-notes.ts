import { type JsonScanner } from '../json-bytes/json-scanner.ts';
import { type ByteEdits, MemberCuts } from '../json-bytes/byte-edits.ts';
import { readTokenIdLists, readTokenIds, type TokenIds, readNumber } from '../json-bytes/read-numbers.ts';
import type { RoutedExperts, WeightVersionSpan } from '@art/trajectories';
import { isJsonObject, parseJson } from '@art/ground';
import type { PreparedCall } from './prepare-call.ts';
import { stripsSglextMember } from './client-wants.ts';
import type { Logprobs } from './read-logprobs.ts';

// The base64 of the first bytes of every .npy file, "\x93NUMPY".
const npyStart = 'k05VTVBZ';

/**
 * Reads routed experts and goes past them; never decoded. The data shows its encoding where it is a NumPy file.
 * undefined for null.
 * @param assumed the encoding where the data does not show it
 */
export function readRoutedExperts(
  scanner: JsonScanner,
  assumed: RoutedExperts['encoding'],
): RoutedExperts | undefined {
  const first = scanner.peek();
  if (first === 0x22) {
    const data = scanner.readString() ?? '';
    if (data === '') return undefined;
    return { data, encoding: data.startsWith(npyStart) ? 'npy_base64' : assumed };
  }
  const data = scanner.readText();
  // A release that writes lists or an object: kept as its JSON text, for anyone who knows it.
  return first === 0x5b || first === 0x7b ? { data, encoding: 'unknown' } : undefined;
}

/** Reads a weight version, a text or a number, as text; goes past it. */
export function readWeightVersion(scanner: JsonScanner): string | undefined {
  if (scanner.peek() === 0x22) return scanner.readString();
  const text = scanner.readText();
  return /^-?\d/.test(text) ? text : undefined;
}

/**
 * Reads `weight_versions`, spans of completion tokens with the version that sampled them, and goes past it. Empty where the
 * value has another shape.
 */
export function readWeightVersions(scanner: JsonScanner): readonly WeightVersionSpan[] {
  if (scanner.skipUnlessArray()) {
    return [];
  }
  const items = parseJson(scanner.readText());
  if (!Array.isArray(items)) return [];
  const spans: WeightVersionSpan[] = [];
  for (const item of items) {
    if (!isJsonObject(item)) return [];
    const { version, start, end } = item;
    const isSpan = typeof start === 'number' && typeof end === 'number';
    if (!isSpan || version === undefined || version === null || typeof version === 'object') return [];
    spans.push({ version: String(version), start, end });
  }
  return spans;
}

/** SGLang's `sglext`: ids and more of the whole reply, in a stream once, in an event before the last. */
export interface Sglext {
  inputIds: TokenIds | undefined;
  /** One for each choice. */
  outputIds: readonly TokenIds[] | undefined;
  routedExperts: RoutedExperts | undefined;
  /** True if no part of it is for the agent. */
  isStripped: boolean;
}

/** Reads `sglext`, goes past it, and notes what is to be cut in it. undefined where it is no object. */
export function readSglext(scanner: JsonScanner, call: PreparedCall, edits: ByteEdits): Sglext | undefined {
  if (scanner.skipUnlessObject()) return undefined;
  const sglext: Sglext = {
    inputIds: undefined,
    outputIds: undefined,
    routedExperts: undefined,
    isStripped: false,
  };
  const cuts = new MemberCuts(edits);
  let cutsSome = false;
  let keepsSome = false;
  for (let more = scanner.firstMember(); more; more = scanner.nextMember()) {
    cuts.begin(scanner.keyStart);
    const name = scanner.key();
    // Fields that are not set are written as null by some releases, and are nothing to keep the object for.
    const isNull = scanner.peek() === 0x6e;
    if (name === 'input_ids') sglext.inputIds = readTokenIds(scanner);
    else if (name === 'output_ids') sglext.outputIds = readTokenIdLists(scanner);
    else if (name === 'routed_experts') sglext.routedExperts = readRoutedExperts(scanner, 'int32_base64');
    else scanner.skipValue();
    const isCut = call.stripEngineFields && stripsSglextMember(name, call.clientWants);
    cuts.end(scanner.at, isCut);
    if (isCut) cutsSome = true;
    else if (!isNull) keepsSome = true;
  }
  cuts.finish();
  sglext.isStripped = cutsSome && !keepsSome;
  return sglext;
}

/** SGLang's report of a choice in its `meta_info`, or of a reply in its `metadata`. */
interface MetaInfo {
  weightVersion?: string | undefined;
  weightVersions?: readonly WeightVersionSpan[];
  routedExperts?: RoutedExperts | undefined;
  /** Logprobs with ids, from `output_token_logprobs`: `[[logprob, id, text], ...]`. */
  logprobs?: Logprobs | undefined;
}

/** Reads `meta_info` or `metadata` and goes past it. */
export function readMetaInfo(scanner: JsonScanner, assumed: RoutedExperts['encoding']): MetaInfo {
  const info: MetaInfo = {};
  if (scanner.skipUnlessObject()) {
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
  if (scanner.skipUnlessArray()) return undefined;
  const values: number[] = [];
  const ids: number[] = [];
  for (let more = scanner.firstItem(); more; more = scanner.nextItem()) {
    const tuple: number[] = [];
    if (!scanner.skipUnlessArray()) {
      for (let next = scanner.firstItem(); next; next = scanner.nextItem()) tuple.push(readNumber(scanner));
    }
    values.push(tuple[0] ?? Number.NaN);
    const id = tuple[1];
    if (id !== undefined && Number.isInteger(id) && id >= 0) ids.push(id);
  }
  const isWhole = ids.length === values.length;
  return { values: new Float64Array(values), tokenIds: isWhole ? new Int32Array(ids) : undefined };
}

import type { JsonScanner } from './json-scanner.ts';
import { mostMisses, sharedRuns } from './runs/runs.ts';

/** What stands in for a value that is no token id, so that the others keep their places. */
export const unreadableTokenId = -1;

/** The ids of an array, with the first thing in it that is none. */
export interface TokenIds {
  values: Int32Array;
  problem: string | undefined;
}

const largestId = 0x7fff_ffff;
// Grows to the longest array met (up to the bound) and is kept: a prompt of 32k ids would otherwise be copied while it
// grows, on every call. Nothing in here outlives one call of the function.
let scratch = new Int32Array(1024);
const keptLength = 1 << 18;

/** Reads an array of token ids and goes past it. undefined, and past it all the same, where the value is no array. */
export function readTokenIds(scanner: JsonScanner): TokenIds | undefined {
  if (scanner.peek() !== 0x5b) {
    scanner.skipValue();
    return undefined;
  }
  if (!scanner.firstItem()) return { values: new Int32Array(0), problem: undefined };
  const runs = sharedRuns();
  let problem: string | undefined;
  let count = 0;
  let misses = 0;
  const take = (ids: Int32Array): void => {
    reserve(count + ids.length);
    scratch.set(ids, count);
    count += ids.length;
  };
  do {
    // The events of a stream have lists of one id, for which a run would be a detour.
    if (runs !== undefined && count > 0 && misses < mostMisses) {
      const before = count;
      scanner.at = runs.tokenIds(scanner.bytes, scanner.at, scanner.end, take).at;
      misses = count === before ? misses + 1 : 0;
    }
    scanner.peek();
    const value = readOne(scanner);
    if (value === unreadableTokenId) problem ??= `item ${count} is no token id`;
    reserve(count + 1);
    scratch[count++] = value;
  } while (scanner.nextItem());
  const values = scratch.slice(0, count);
  if (scratch.length > keptLength) scratch = new Int32Array(keptLength);
  return { values, problem };
}

/**
 * Reads ids that are grouped by prompt, as TensorRT-LLM may write them: `[[1, 2], [3]]`. A flat array is one group.
 * undefined, and past it, where the value is no array.
 */
export function readTokenIdLists(scanner: JsonScanner): TokenIds[] | undefined {
  if (scanner.peek() !== 0x5b) {
    scanner.skipValue();
    return undefined;
  }
  const { at: start, depth } = scanner;
  if (!scanner.firstItem()) return [{ values: new Int32Array(0), problem: undefined }];
  if (scanner.peek() !== 0x5b) {
    scanner.at = start;
    scanner.depth = depth;
    const flat = readTokenIds(scanner);
    return flat === undefined ? undefined : [flat];
  }
  const lists: TokenIds[] = [];
  for (let more = true; more; more = scanner.nextItem()) {
    const list = readTokenIds(scanner);
    lists.push(list ?? { values: new Int32Array(0), problem: `group ${lists.length} is no array` });
  }
  return lists;
}

function readOne(scanner: JsonScanner): number {
  const { bytes, at: start } = scanner;
  scanner.skipValue();
  let value = 0;
  for (let at = start; at < scanner.at; at += 1) {
    const byte = bytes[at] as number;
    if (byte < 0x30 || byte > 0x39) return otherwiseSpelled(bytes.toString('latin1', start, scanner.at));
    value = value * 10 + (byte - 0x30);
  }
  return value > largestId ? unreadableTokenId : value;
}

// A server in a language whose numbers are all floats writes 7.0 or 7e0.
function otherwiseSpelled(text: string): number {
  const value = Number(text);
  return Number.isInteger(value) && value >= 0 && value <= largestId ? value : unreadableTokenId;
}

function reserve(length: number): void {
  if (length <= scratch.length) return;
  const larger = new Int32Array(Math.max(length, scratch.length * 2));
  larger.set(scratch);
  scratch = larger;
}

import { type JsonScanner } from '../json-bytes/json-scanner.ts';
import { readNumber, readNumbers } from '../json-bytes/read-numbers.ts';

/** The sampled tokens' logprobs, with their ids where the engine has them here. */
export interface Logprobs {
  /** NaN in the place of one that is missing. */
  values: Float64Array;
  tokenIds: Int32Array | undefined;
}

const idPrefix = Buffer.from('"token_id:');

/**
 * Reads a choice's `logprobs` and goes past it: `content` of the chat wire, `token_logprobs` of the completions wire.
 * Tokens spelled `token_id:7` (vLLM with `return_tokens_as_token_ids`) or with a `token_id` beside them are ids too.
 * undefined where there are none.
 */
export function readLogprobs(scanner: JsonScanner): Logprobs | undefined {
  if (scanner.skipUnlessObject()) return undefined;
  let found: Logprobs | undefined;
  let values: Float64Array | undefined;
  let tokenIds: Int32Array | undefined;
  for (let more = scanner.firstMember(); more; more = scanner.nextMember()) {
    if (scanner.keyIs('content')) found = readContent(scanner);
    else if (scanner.keyIs('token_logprobs')) values = readNumbers(scanner);
    else if (scanner.keyIs('tokens')) tokenIds = readTokens(scanner);
    else scanner.skipValue();
  }
  return found ?? (values === undefined ? undefined : { values, tokenIds });
}

function readContent(scanner: JsonScanner): Logprobs | undefined {
  if (scanner.skipUnlessArray()) return undefined;
  const content: number[] = [];
  const ids: number[] = [];
  for (let more = scanner.firstItem(); more; more = scanner.nextItem()) {
    let logprob = Number.NaN;
    let id: number | undefined;
    if (!scanner.skipUnlessObject()) {
      for (let next = scanner.firstMember(); next; next = scanner.nextMember()) {
        if (scanner.keyIs('logprob')) logprob = readNumber(scanner);
        else if (scanner.keyIs('token')) id = readIdToken(scanner) ?? id;
        else if (scanner.keyIs('token_id')) id = wholeNumber(readNumber(scanner)) ?? id;
        else scanner.skipValue();
      }
    }
    content.push(logprob);
    if (id !== undefined) ids.push(id);
  }
  // Ids of some tokens only would be out of step with the logprobs.
  const isWhole = ids.length > 0 && ids.length === content.length;
  return { values: new Float64Array(content), tokenIds: isWhole ? new Int32Array(ids) : undefined };
}

function readTokens(scanner: JsonScanner): Int32Array | undefined {
  if (scanner.skipUnlessArray()) return undefined;
  const ids: number[] = [];
  let count = 0;
  for (let more = scanner.firstItem(); more; more = scanner.nextItem()) {
    const id = readIdToken(scanner);
    if (id !== undefined) ids.push(id);
    count += 1;
  }
  return count > 0 && ids.length === count ? new Int32Array(ids) : undefined;
}

function readIdToken(scanner: JsonScanner): number | undefined {
  const { bytes } = scanner;
  scanner.peek();
  const start = scanner.at;
  scanner.skipValue();
  const digits = start + idPrefix.length;
  // The colon first: hardly any other token has one there, and looking costs nothing.
  if (scanner.at <= digits || bytes[digits - 1] !== 0x3a) return undefined;
  if (idPrefix.compare(bytes, start, digits) !== 0) return undefined;
  const text = bytes.toString('latin1', digits, scanner.at - 1);
  return /^\d+$/.test(text) ? wholeNumber(Number(text)) : undefined;
}

function wholeNumber(value: number): number | undefined {
  return Number.isInteger(value) && value >= 0 && value <= 0x7fff_ffff ? value : undefined;
}

import { reservedResultFields } from '@art/protocol';
import { type JsonTextMap, redactedText } from '@art/ground';

/** Takes secrets out of whatever is about to be stored or logged. */
export interface SecretScrubber {
  /** True if a text contains a secret. */
  finds: (text: string) => boolean;
  scrubText: (text: string) => string;
  /**
   * For `formatResultDocument`: scrubs a result document, but for its address and the names that its readers look for.
   */
  mapDocumentText: JsonTextMap;
}

/**
 * Finds secrets as literal text, also where they are spelled as in JSON or in a URL.
 * @param secrets as `redactRolloutSecrets` found them
 */
export function secretScrubber(secrets: Iterable<string>): SecretScrubber {
  // Longer ones first: a secret may contain another one.
  const spellings = [...new Set([...secrets].flatMap(spellingsOf))].toSorted(
    (left, right) => right.length - left.length,
  );
  const finds = (text: string): boolean => spellings.some((spelling) => text.includes(spelling));
  // Most texts of a large payload are names and words.
  const shortest = spellings.at(-1)?.length ?? Infinity;
  const scrubText = (text: string): string => {
    if (text.length < shortest) return text;
    let scrubbed = text;
    for (const spelling of spellings) {
      if (scrubbed.includes(spelling)) scrubbed = scrubbed.replaceAll(spelling, redactedText);
    }
    return scrubbed;
  };
  return {
    finds,
    scrubText,
    mapDocumentText: (text, { kind, path }) =>
      (kind === 'value' ? isAddress(path) : isFieldName(path)) ? text : scrubText(text),
  };
}

function spellingsOf(secret: string): string[] {
  if (secret === '') return [];
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = json.replaceAll(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const spellings = [secret, json, ascii];
  // Between quotes of other kinds, and as JSON in JSON: what a log shows of an object, a Python or a shell program.
  if (/["'`\\]/.test(secret)) {
    for (const quote of ['"', "'", '`'])
      spellings.push(
        secret.replaceAll(/[\\"'`]/g, (one) => (one === '\\' || one === quote ? `\\${one}` : one)),
      );
    spellings.push(
      JSON.stringify(json).slice(1, -1),
      secret.replaceAll("'", String.raw`'\''`),
      secret.replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
    );
  }
  if (secret.isWellFormed()) {
    const url = encodeURIComponent(secret);
    spellings.push(
      url,
      url.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
      encodeURI(secret),
      new URLSearchParams({ s: secret }).toString().slice(2),
    );
  }
  return spellings;
}

const addressFields = new Set<unknown>(['input_id', 's3_bucket', 'result_key']);

/** Members of `_rollout` that say which rollout it is; a document without them belongs to nobody. */
export const rolloutAddressFields: ReadonlySet<string | number> = new Set([
  'exp_id',
  'input_id',
  's3_bucket',
]);

function isAddress(path: readonly (string | number)[]): boolean {
  if (path.length === 1) return addressFields.has(path[0]);
  return (
    path.length === 3 && path[0] === 'payload' && path[1] === '_rollout' && rolloutAddressFields.has(path[2]!)
  );
}

const fieldNames = new Set<unknown>([...reservedResultFields, 'rewards', 'reward', 'traceback']);

function isFieldName(path: readonly (string | number)[]): boolean {
  return path.length === 1 ? fieldNames.has(path[0]) : isAddress(path) || isRolloutMember(path);
}

function isRolloutMember(path: readonly (string | number)[]): boolean {
  return path.length === 2 && path[0] === 'payload' && path[1] === '_rollout';
}

import { reservedResultFields } from '../result-document.ts';
import { setOwnMember } from '../set-own-member.ts';
import type { JsonTextMap } from '../stringify-json.ts';
import { redactedText } from './redact-secrets.ts';

/** Takes secrets out of whatever is about to be stored or logged. */
export interface SecretScrubber {
  /** Whether a text contains a secret. */
  finds: (text: string) => boolean;
  scrubText: (text: string) => string;
  /** A copy of a JSON value without the secrets, in values and names. The value itself where there is none in it. */
  scrubValue: (value: unknown) => unknown;
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
  const scrubText = (text: string): string => {
    let scrubbed = text;
    for (const spelling of spellings) {
      if (scrubbed.includes(spelling)) scrubbed = scrubbed.replaceAll(spelling, redactedText);
    }
    return scrubbed;
  };
  return {
    finds,
    scrubText,
    scrubValue: (value) => scrubValue(value, scrubText),
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

function scrubValue(value: unknown, scrubText: (text: string) => string): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    let changed = false;
    const items = value.map((item) => {
      const scrubbed = scrubValue(item, scrubText);
      changed ||= scrubbed !== item;
      return scrubbed;
    });
    // Most values have no secret in them, and some are large.
    return changed ? items : value;
  }
  let changed = false;
  const record: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const scrubbed = scrubValue(member, scrubText);
    const scrubbedName = scrubText(name);
    changed ||= scrubbed !== member || scrubbedName !== name;
    setOwnMember(record, scrubbedName, scrubbed);
  }
  return changed ? record : value;
}

const addressFields = new Set<unknown>(['input_id', 's3_bucket', 'result_key']);

/** Members of `_rollout` that say which rollout it is; a document without them belongs to nobody. */
export const rolloutAddressFields: ReadonlySet<unknown> = new Set(['exp_id', 'input_id', 's3_bucket']);

function isAddress(path: readonly (string | number)[]): boolean {
  if (path.length === 1) return addressFields.has(path[0]);
  return (
    path.length === 3 && path[0] === 'payload' && path[1] === '_rollout' && rolloutAddressFields.has(path[2])
  );
}

const fieldNames = new Set<unknown>([...reservedResultFields, 'rewards', 'reward', 'traceback']);

function isFieldName(path: readonly (string | number)[]): boolean {
  return path.length === 1 ? fieldNames.has(path[0]) : isAddress(path) || isRolloutMember(path);
}

function isRolloutMember(path: readonly (string | number)[]): boolean {
  return path.length === 2 && path[0] === 'payload' && path[1] === '_rollout';
}

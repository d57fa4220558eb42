import { ok, strictEqual } from 'node:assert';
import { anyJson, anyName, toRecord } from '@art/tooling/arbitrary-json';
import { parseJson, stringifyJson } from '@art/ground';
import { completeResultDocument, formatResultDocument } from '@art/protocol';
import fc from 'fast-check';
import { redactRolloutSecrets } from '../redaction/redact-rollout-secrets.ts';
import { secretScrubber } from '../redaction/secret-scrubber.ts';

const secretText = fc
  .oneof(
    fc.string({ unit: 'grapheme-ascii', minLength: 6, maxLength: 30 }),
    fc.string({ unit: 'binary', minLength: 6, maxLength: 20 }),
  )
  .map((text) => text.trim())
  .filter((text) => text.length >= 6 && !'[redacted]'.includes(text));

/** Texts of a JSON value, names included. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}

/** A planted secret is in no text of the document, and the payload stays as it was. */
export const secretProperty = fc.property(
  secretText,
  fc.constantFrom('api_key', 'accessToken', 'AUTHORIZATION', 'db-password', 'x-cookie'),
  anyJson,
  fc.array(fc.tuple(anyName, anyJson), { maxLength: 3 }),
  (secret, name, value, members) => {
    const config = toRecord([...members, ['a', { [name]: secret }], ['plain', `x${secret}y`], ['b', value]]);
    const payload = toRecord([
      ['q', [secret, { [secret]: 1 }]],
      ['value', value],
      ['_rollout', config],
    ]);
    const before = stringifyJson(payload);
    const redacted = redactRolloutSecrets(payload);
    strictEqual(stringifyJson(payload), before);
    const document = completeResultDocument(
      {
        rewards: 1,
        error: `bad key ${secret}`,
        json: JSON.stringify({ secret }),
        url: secret.isWellFormed() ? encodeURIComponent(secret) : '',
      },
      { inputId: 'input', s3Bucket: 'bucket', resultKey: 'key', payload: redacted.payload },
    );
    const text = formatResultDocument(document, {
      mapText: secretScrubber(redacted.secrets).mapDocumentText,
    });
    const stored = parseJson(text) as Record<string, unknown>;
    strictEqual(stored['rewards'], 1);
    strictEqual(stored['result_key'], 'key');
    const known = new Set(Object.keys(document));
    for (const found of textsIn(stored)) {
      // A secret may happen to be the name of a field, or what is said of where a rollout belongs.
      if (known.has(secret) || isAddressText(config, secret) || found === '_rollout') continue;
      ok(
        !found.replaceAll('[redacted]', '\u0000').includes(secret),
        `${JSON.stringify(found)} has the secret`,
      );
    }
  },
);

function isAddressText(config: Record<string, unknown>, secret: string): boolean {
  return ['exp_id', 'input_id', 's3_bucket'].some((field) => {
    const texts = Object.hasOwn(config, field) ? textsIn(config[field]) : [];
    return secret === field || texts.some((text) => text.includes(secret));
  });
}

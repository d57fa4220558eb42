import {
  isJsonObject,
  redactSecrets,
  type RedactionOptions,
  type SecretNames,
  secretNames,
} from '@art/ground';
import { FoundSecrets } from './found-secrets.ts';
import { rolloutAddressFields } from './secret-scrubber.ts';

/** Members of a payload by which a trainer configures a rollout. */
const configNames = ['_rollout', '_config'];
const noOptions: RedactionOptions = {};
const compiled = new WeakMap<RedactionOptions, SecretNames>();

// Callers pass the same options with every payload.
function namesOf(options: RedactionOptions): SecretNames {
  let names = compiled.get(options);
  if (names === undefined) {
    names = secretNames(options);
    compiled.set(options, names);
  }
  return names;
}

/** A payload without the secrets of its configs, and what was taken out of them. */
export interface RedactedPayload {
  payload: Record<string, unknown>;
  /**
   * The secrets, for `secretScrubber`: a model client puts the key that it used into its error messages. Texts of six
   * characters or more; shorter ones occur by chance and are only redacted where they stand.
   */
  secrets: string[];
}

/**
 * Takes the secrets of `_rollout` and `_config` out of a payload that is to be stored or logged. Neither the payload nor
 * anything in it is changed. In both, at any depth, `[redacted]` replaces
 * - every text under a name that stands for a secret: API keys, tokens, passwords, authorization, cookies, credentials,
 *   private keys, and the names of `options.names`;
 * - every text in a map of headers (`headers`, `extra_headers` ...);
 * - in other texts the user info and secret query parameters of URLs, bearer tokens, private keys and the keys of well-known services.
 *
 * The ids of the rollout and its bucket stay. The rest is shared with the payload: anyone who copies or writes it takes the same
 * secrets out by `secretScrubber(secrets).mapDocumentText`.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function redactRolloutSecrets(
  payload: Record<string, unknown>,
  options: RedactionOptions = noOptions,
): RedactedPayload {
  const context = { names: namesOf(options), found: new FoundSecrets() };
  const redacted = new Map<string, unknown>();
  for (const name of configNames) {
    const config = Object.hasOwn(payload, name) ? payload[name] : undefined;
    if (isJsonObject(config)) redacted.set(name, redactSecrets(config, context));
  }
  const secrets = context.found.values;
  if (redacted.size === 0 || context.found.isEmpty) return { payload, secrets };
  // Keeps the order of the members.
  const stored: Record<string, unknown> = { ...payload, ...Object.fromEntries(redacted) };
  if (redacted.has('_rollout')) stored['_rollout'] = withAddress(stored['_rollout'], payload['_rollout']);
  return { payload: stored, secrets };
}

function withAddress(stored: unknown, sent: unknown): Record<string, unknown> {
  const rollout = { ...(stored as Record<string, unknown>) };
  for (const field of rolloutAddressFields) {
    if (Object.hasOwn(sent as object, field)) rollout[field] = (sent as Record<string, unknown>)[field];
  }
  return rollout;
}

/**
 * The secrets in a request's headers: values of headers whose names stand for secrets.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function secretsInHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  options: RedactionOptions = noOptions,
): string[] {
  const context = { names: namesOf(options), found: new FoundSecrets() };
  redactSecrets(headers, context);
  return context.found.values;
}

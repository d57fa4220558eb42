import { setOwnMember } from '../set-own-member.ts';
import type { FoundSecrets } from './found-secrets.ts';
import type { SecretNames } from './secret-names.ts';

/** What stands in the place of a secret. */
export const redactedText = '[redacted]';

export interface RedactSecretsContext {
  names: SecretNames;
  found: FoundSecrets;
}

/** A copy of a JSON value without its secrets, which are noted in `found`. Only texts are secrets; numbers stay. */
export function redactSecrets(value: unknown, context: RedactSecretsContext): unknown {
  if (typeof value === 'string') return redactInText(value, context);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactSecrets(item, context));
  const record: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const { isSecret, isHeaderMap } = context.names;
    const redacted =
      isSecret(name) || isHeaderMap(name) ? redactAll(member, context) : redactSecrets(member, context);
    setOwnMember(record, name, redacted);
  }
  return record;
}

function redactAll(value: unknown, context: RedactSecretsContext): unknown {
  if (typeof value === 'string') {
    if (value === '') return value;
    // What is a secret inside it is one on its own, too.
    redactInText(value, context);
    context.found.add(value);
    return redactedText;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactAll(item, context));
  const record: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) setOwnMember(record, name, redactAll(member, context));
  return record;
}

// The user info of a URL ends at the last "@" before its path, query or fragment.
const userInfoPattern = /([a-z][a-z0-9+.-]*:\/\/)([^\s/?#"'<>\\]+)@/gi;
const parameterPattern = /([?&#;])([^=&#;?\s]+)=([^&#;\s"'<>\\]+)/g;
const bearerPattern = /\b(bearer\s+)([\w.~+/=-]{6,})/gi;
const privateKeyPattern = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;

function redactInText(text: string, { names, found }: RedactSecretsContext): string {
  let redacted = text;
  if (text.includes('PRIVATE KEY-----')) {
    redacted = redacted.replaceAll(privateKeyPattern, (key) => {
      found.add(key);
      return redactedText;
    });
  }
  if (text.includes('://')) {
    redacted = redacted.replaceAll(userInfoPattern, (_whole, scheme: string, userInfo: string) => {
      found.addUserInfo(userInfo);
      return `${scheme}${redactedText}@`;
    });
  }
  if (text.includes('=')) {
    redacted = redacted.replaceAll(parameterPattern, (whole, before: string, name: string, value: string) => {
      if (!names.isSecretParameter(name)) return whole;
      found.addParameter(value);
      return `${before}${name}=${redactedText}`;
    });
  }
  return redacted.replaceAll(bearerPattern, (_whole, scheme: string, token: string) => {
    found.add(token);
    return `${scheme}${redactedText}`;
  });
}

import type { FoundSecrets } from './found-secrets.ts';
import type { SecretNames } from './secret-names.ts';

/** The text that replaces a secret. */
export const redactedText = '[redacted]';

export interface RedactSecretsContext {
  names: SecretNames;
  found: FoundSecrets;
}

/** A copy of a JSON value without its secrets, which are noted in `found`. Only texts are secrets; numbers stay. */
export function redactSecrets(value: unknown, context: RedactSecretsContext): unknown {
  return redact(value, context, false);
}

/** @param isSecret whether every text in the value is one, as it stands under the name of a secret */
function redact(value: unknown, context: RedactSecretsContext, isSecret: boolean): unknown {
  if (typeof value === 'string') return isSecret ? redactWhole(value, context) : redactInText(value, context);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redact(item, context, isSecret));
  const members = Object.entries(value).map(([name, member]) => {
    const verdict = context.names(name);
    return [name, redact(member, context, isSecret || verdict.isSecret || verdict.isHeaderMap)] as const;
  });
  return Object.fromEntries(members);
}

function redactWhole(text: string, context: RedactSecretsContext): string {
  if (text === '') return text;
  // What is a secret inside it is one on its own, too.
  redactInText(text, context);
  context.found.add(text);
  return redactedText;
}

// The user info of a URL ends at the last "@" before its path, query or fragment.
const userInfoPattern = /([a-z][a-z0-9+.-]*:\/\/)([^\s/?#"'<>\\]+)@/gi;
// Of a URL, of a cookie, and as a shell or a log has it: `API_KEY="..."`.
const parameterPattern = /(^|[?&#;,\s"'({])([^=&#;?,\s"'({]+)=("[^"]*"|'[^']*'|[^&#;\s"'<>\\]+)/g;
const bearerPattern = /\b(bearer\s+)("[^"]{6,}"|'[^']{6,}'|[\w.~+/=-]{6,})/gi;
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
      const { isSecret, isSecretParameter } = names(name);
      if (!(/[?&#;]/.test(before) ? isSecretParameter : isSecret)) return whole;
      found.addParameter(value);
      return `${before}${name}=${redactedText}`;
    });
  }
  return redacted.replaceAll(bearerPattern, (_whole, scheme: string, token: string) => {
    found.add(token);
    return `${scheme}${redactedText}`;
  });
}

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

// Texts come from strangers and are megabytes at times: every pattern is linear in its input.

// The user info of a URL ends at the last "@" before its path, query or fragment.
const userInfoPattern = /:\/\/([^\s/?#"'<>\\]+)@/g;
// Of a URL, of a cookie, and as a shell or a log has it: `API_KEY="..."`.
const parameterPattern = /(^|[?&#;,\s"'({])([^=&#;?,\s"'({]+)=("[^"]*"|'[^']*'|[^&#;\s"'<>\\]+)/g;
const bearerPattern = /\b(bearer\s{1,20})("[^"]{6,8192}"|'[^']{6,8192}'|[\w.~+/=-]{6,})/gi;
// A member of JSON or YAML inside of a text. A value without quotes needs a digit: `token: required` is no secret.
const memberPattern =
  /(?<![\w.-])([\w.-]{1,100})(\\?["']?\s{0,3}:\s{0,3})(\\?"[^"\n]{1,8192}"|'[^'\n]{1,8192}'|(?=\D{0,99}\d)[^\s"',}\]#]{8,8192})/g;
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
    redacted = redacted.replaceAll(userInfoPattern, (_whole, userInfo: string) => {
      found.addUserInfo(userInfo);
      return `://${redactedText}@`;
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
  if (text.includes(':')) {
    redacted = redacted.replaceAll(memberPattern, (whole, name: string, colon: string, value: string) => {
      if (!names(name).isSecret) return whole;
      found.add(value.replaceAll(/^\\?["']|\\?["']$/g, ''));
      return `${name}${colon}${redactedText}`;
    });
  }
  return redacted.replaceAll(bearerPattern, (_whole, scheme: string, token: string) => {
    found.add(token);
    return `${scheme}${redactedText}`;
  });
}

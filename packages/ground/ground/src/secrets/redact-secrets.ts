import type { SecretNames } from './secret-names.ts';

/** The text that replaces a secret. */
export const redactedText = '[redacted]';

/** Gets each secret that is found. */
export interface SecretSink {
  add: (value: string) => void;
  /** `user:password` of a URL, or a token in its place. */
  addUserInfo: (userInfo: string) => void;
  /** The value of a parameter of a URL or a shell. */
  addParameter: (value: string) => void;
}

export interface RedactSecretsContext {
  names: SecretNames;
  found: SecretSink;
  /** Called for members under the name of a secret, which are then left out. @default they stay, and their texts are replaced */
  leaveOut?: ((name: string) => void) | undefined;
}

/** A copy of a JSON value without its secrets, which `found` gets. Only texts are secrets; numbers stay. */
export function redactSecrets(value: unknown, context: RedactSecretsContext): unknown {
  return redact(value, context, false);
}

/** @param isSecret whether every text in the value is one, as it stands under the name of a secret */
function redact(value: unknown, context: RedactSecretsContext, isSecret: boolean): unknown {
  if (typeof value === 'string') return isSecret ? redactWhole(value, context) : redactInText(value, context);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redact(item, context, isSecret));
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const verdict = context.names(name);
    if (verdict.isSecret && context.leaveOut && /string|object/.test(typeof member) && member !== null) {
      context.leaveOut(name);
      return [];
    }
    return [[name, redact(member, context, isSecret || verdict.isSecret || verdict.isHeaderMap)]];
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
// Keys of services by what they begin with, tokens of JWT, and the user of HTTP's basic scheme, which is no word.
const servicePattern =
  /\b(?:[spr]k[-_](?:[A-Za-z0-9]{1,99}[-_]){0,9}(?=[A-Za-z]{0,99}\d)[A-Za-z0-9]{16,}[\w-]*|(?:AKIA|ASIA)[A-Z0-9]{16}\b|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abeprs]-[\w-]{10,}|AIza[\w-]{30,}|hf_\w{20,}|eyJ[\w-]{8,512}\.eyJ[\w-]{8,}\.[\w-]*|(?<=Basic )(?=[a-z]{0,99}[A-Z0-9+/=])[\w+/=]{8,})/g;

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
  redacted = redacted.replaceAll(bearerPattern, (_whole, scheme: string, token: string) => {
    found.add(token);
    return `${scheme}${redactedText}`;
  });
  return redacted.replaceAll(servicePattern, (key) => {
    found.add(key);
    return redactedText;
  });
}

import { isJsonObject } from '@art/ground';
import { isSecretField } from '../run/run-inputs.ts';

/** Keys of services, private keys, tokens behind their scheme, passwords in addresses, and values of parameters whose names say that they are secret. */
const patterns: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:sk|pk|rk)[-_][\w-]{16,}|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bgh[pousr]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}|\bxox[abeprs]-[\w-]{10,}|\bAIza[\w-]{30,}|\bhf_\w{20,}|\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/g,
  /(?<=\b(?:Bearer|Basic) )[\w.~+/=-]{8,}/g,
  /(?<=:\/\/)[^\s/@]+(?=@)/g,
  /(?<=\b(?:api[-_]?key|password|passwd|secret|access[-_]?token|auth[-_]?token)["']?\s{0,3}[=:]\s{0,3}["']?)[^\s"'&,;[]{4,}/gi,
];

const removed = '[redacted]';

/** A copy without what seems to be secret. @param onRemoved called for each: the name of a field that is left out, or `text` */
export function withoutSecretValues(value: unknown, onRemoved: (what: string) => void): unknown {
  if (typeof value === 'string')
    return patterns.reduce(
      (text, pattern) =>
        text.replaceAll(pattern, () => {
          onRemoved('text');
          return removed;
        }),
      value,
    );
  if (Array.isArray(value)) return value.map((item) => withoutSecretValues(item, onRemoved));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      // A number of tokens is no secret.
      const mayHold = typeof member === 'string' || typeof member === 'object';
      if (!mayHold || member === null || !isSecretField(name))
        return [[name, withoutSecretValues(member, onRemoved)]];
      onRemoved(name);
      return [];
    }),
  );
}

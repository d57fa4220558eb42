/** UUIDs of version 4, and hexadecimal of 16 digits or more. */
const hexadecimal =
  /\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b|\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{16,}\b/gi;

/** A word of letters and digits, as `nanoid` makes them; none within Base64, an address or a path. */
const word = /(?<![\w+/=.-])[\w-]{16,64}(?![\w+/=.-])/g;

/** Git's commits and digests of SHA-1 and SHA-2: of equal content they are equal. */
const digestLengths: readonly number[] = [40, 56, 64, 96, 128];

/** Ids in a text that no two draws give. What may be a digest of content is none. */
export function drawnIds(text: string): string[] {
  const ids = [
    ...(text.match(hexadecimal) ?? []).filter((id) => !digestLengths.includes(id.length)),
    ...(text.match(word) ?? []).filter(isMixed),
  ];
  return [...new Set(ids)];
}

/** True if the kinds of letters and digits change as often as only chance changes them. */
function isMixed(text: string): boolean {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  return (
    count(/\d/g) >= 2 &&
    count(/(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])/g) >= 3 &&
    count(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[a-z])/g) >= 4
  );
}

const leastDigits = 10;

/** Long whole numbers that are no time: in seconds or milliseconds since 1970 these have 10 or 13 digits. */
export function isDrawnNumber(value: string | number | bigint): boolean {
  const digits = String(value);
  if (!/^[1-9]\d*$/.test(digits) || digits.length < leastDigits || digits.endsWith('0000')) return false;
  return !((digits.length === 10 || digits.length === 13) && /^[1-4]/.test(digits));
}

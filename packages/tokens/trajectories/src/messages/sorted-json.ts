import { isJsonObject } from '@art/ground';

/** JSON that is equal for equal values, whatever the order of their names. It is for comparing; nobody reads it back. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member === 'bigint') return `${member}n`;
    if (typeof member === 'number' && !Number.isFinite(member)) return String(member);
    if (!isJsonObject(member)) return member;
    // Sorted pairs: an object would order names that look like numbers by itself, and knows no __proto__.
    return { '': Object.entries(member).toSorted(([left], [right]) => (left < right ? -1 : 1)) };
  });
}

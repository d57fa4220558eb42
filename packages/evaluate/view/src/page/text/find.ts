import { createContext } from 'preact';

/** Text that somebody looks for in the texts below, in small letters; empty for nothing. */
export const Find = createContext('');

/** Matches whatever the capitals. */
export function findPattern(wanted: string): RegExp {
  return new RegExp(`(${wanted.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)})`, 'gi');
}

/** A text of which every second piece is a match, the first is none. */
export function splitAtMatches(text: string, wanted: string): string[] {
  return wanted === '' ? [text] : text.split(findPattern(wanted));
}

import { type JsonTextMap, type NonFiniteListener, toPlain } from './json-copy.ts';

export interface StringifyJsonOptions {
  /** Spaces per level; 0 writes one line. @default 0 */
  indent?: number;
  /** Escape everything outside printable ASCII, as Python's `json.dumps` does by default. @default false */
  asciiOnly?: boolean;
  /** Replaces texts on their way out; what is written from is not changed. */
  mapText?: JsonTextMap | undefined;
  /**
   * The object that the value is a shallow copy of. A member that leads back to it is refused as one that leads to the
   * value.
   */
  copyOf?: object | undefined;
  /** Called for `NaN` and infinities, which are then written as null. @default they are refused */
  onNonFinite?: NonFiniteListener | undefined;
}

/**
 * Writes JSON and refuses what `JSON.stringify` would silently change: `NaN` and infinities (it writes `null`),
 * functions, symbols and `undefined` in arrays (`null`), Map, Set and typed arrays (`{}` or an object of indexes), invalid
 * dates, cycles, `undefined` at the top. Members that are `undefined` are left out; `toJSON` is honoured;
 * `bigint` is written as an integer.
 *
 * With `{ indent: 2, asciiOnly: true }` the layout is that of Python's `json.dumps(value, indent=2)`.
 * @throws ArtError `ART_JSON_WRITE` with the JSON path, before anything is written.
 */
export function stringifyJson(value: unknown, options: StringifyJsonOptions = {}): string {
  const ancestors = new Map(options.copyOf === undefined ? [] : [[options.copyOf, 0]]);
  const { mapText, onNonFinite } = options;
  const plain = toPlain(value, { names: [], ancestors, mapText, isReceived: false, onNonFinite });
  const text = JSON.stringify(plain, null, options.indent ?? 0);
  return options.asciiOnly === true ? escapeNonAscii(text) : text;
}

function escapeNonAscii(text: string): string {
  return text.replaceAll(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

import { ArtError } from './art-error.ts';
import { describeValue } from './describe-value.ts';
import { maxJsonDepth } from './json-value.ts';
import { setOwnMember } from './set-own-member.ts';

export interface StringifyJsonOptions {
  /** Spaces per level; 0 writes one line. @default 0 */
  indent?: number;
  /** Escape everything outside printable ASCII, as Python's `json.dumps` does by default. @default false */
  asciiOnly?: boolean;
  /** Replaces texts on their way out; what is written from is not changed. */
  mapText?: JsonTextMap | undefined;
  /** What the value is a shallow copy of. A member that leads back to it is refused as one that leads to the value. */
  copyOf?: object | undefined;
}

/** Where a text stands in a JSON document: the value at `path`, or the name of the member at `path`. */
export interface JsonTextPlace {
  kind: 'value' | 'name';
  /** Valid during the call only. */
  path: readonly (string | number)[];
}

/** Gives what is to be written instead of a text: itself, where nothing is to be replaced. */
export type JsonTextMap = (text: string, place: JsonTextPlace) => string;

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
  const place: Place = { names: [], ancestors: new Map(), mapText: options.mapText };
  if (options.copyOf !== undefined) place.ancestors.set(options.copyOf, 0);
  const text = JSON.stringify(toPlain(value, place), null, options.indent ?? 0);
  return options.asciiOnly === true ? escapeNonAscii(text) : text;
}

interface Place {
  names: (string | number)[];
  /** What the value stands in, and how many names lead there. */
  ancestors: Map<object, number>;
  mapText: JsonTextMap | undefined;
}

// The copy is what gets written, so a getter or `toJSON` runs once and cannot answer differently the second time.
function toPlain(value: unknown, place: Place): unknown {
  switch (typeof value) {
    case 'string':
      return place.mapText === undefined ? value : place.mapText(value, { kind: 'value', path: place.names });
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value))
        refuse(place, `${value} is not a JSON number; store a finite number, a string or null`);
      return value;
    case 'bigint':
      return rawJson(String(value));
    case 'undefined':
      return refuse(place, 'undefined is not JSON; use null or leave it out');
    case 'function':
    case 'symbol':
      return refuse(place, `${describeValue(value)} is not JSON`);
    case 'object':
      return value === null ? null : objectToPlain(value, place);
  }
}

function objectToPlain(value: object, place: Place): unknown {
  const start = place.ancestors.get(value);
  if (start !== undefined)
    refuse(place, `it is ${jsonPath(place.names.slice(0, start))} again, so the value contains itself`);
  if (place.names.length >= maxJsonDepth) refuse(place, `nested deeper than ${maxJsonDepth} levels`);
  place.ancestors.set(value, place.names.length);
  const plain = Array.isArray(value) ? arrayToPlain(value, place) : recordToPlain(value, place);
  place.ancestors.delete(value);
  return plain;
}

function arrayToPlain(value: readonly unknown[], place: Place): unknown[] {
  const plain: unknown[] = [];
  const depth = place.names.length;
  for (let index = 0; index < value.length; index += 1) {
    place.names[depth] = index;
    plain.push(toPlain(value[index], place));
  }
  place.names.length = depth;
  return plain;
}

function recordToPlain(value: object, place: Place): unknown {
  if (value instanceof Date && Number.isNaN(value.getTime())) refuse(place, 'an invalid date is not JSON');
  const toJson = (value as { toJSON?: unknown }).toJSON;
  if (typeof toJson === 'function')
    return toPlain(toJson.call(value, String(place.names.at(-1) ?? '')), place);
  if (value instanceof Number || value instanceof String || value instanceof Boolean)
    return toPlain(value.valueOf(), place);
  if (value instanceof Map) refuse(place, 'a Map would be written as {}; use Object.fromEntries(map)');
  if (value instanceof Set) refuse(place, 'a Set would be written as {}; use [...set]');
  if (ArrayBuffer.isView(value))
    refuse(place, `${describeValue(value)} would be written as an object; use Array.from(value)`);
  if (value instanceof Promise) refuse(place, 'a Promise would be written as {}; await it first');

  const plain: Record<string, unknown> = {};
  const depth = place.names.length;
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined) continue;
    place.names[depth] = name;
    const plainMember = toPlain(member, place);
    const written =
      place.mapText === undefined ? name : place.mapText(name, { kind: 'name', path: place.names });
    setOwnMember(plain, written, plainMember);
  }
  place.names.length = depth;
  return plain;
}

function refuse(place: Place, what: string): never {
  throw new ArtError({
    code: 'ART_JSON_WRITE',
    message: `Cannot be written as JSON at ${jsonPath(place.names)}: ${what}.`,
  });
}

function jsonPath(names: readonly (string | number)[]): string {
  let path = '$';
  for (const name of names) {
    if (typeof name === 'number') path += `[${name}]`;
    else path += /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  }
  return path;
}

function escapeNonAscii(text: string): string {
  return text.replaceAll(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

// In V8 since Node 21; TypeScript's library has no type for it yet.
const rawJson = (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON;

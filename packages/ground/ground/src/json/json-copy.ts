import { ArtError } from '../errors/art-error.ts';
import { describeValue } from '../errors/describe-value.ts';
import { maxJsonDepth, setOwnMember } from './json-value.ts';

/** Where a text stands in a JSON document: the value at `path`, or the name of the member at `path`. */
export interface JsonTextPlace {
  kind: 'value' | 'name';
  /** Valid during the call only. */
  path: readonly (string | number)[];
}

/** Gives what is to be written instead of a text: itself, where nothing is to be replaced. */
export type JsonTextMap = (text: string, place: JsonTextPlace) => string;

export interface CopyJsonOptions {
  /** Replaces texts in the copy. */
  mapText?: JsonTextMap | undefined;
  /** Where the copy will stand in the document that it is for. @default the document itself */
  path?: readonly string[];
}

/** A JSON value as it will be written. `stringifyJson` does not copy it again. */
export class JsonCopy {
  readonly plain: unknown;

  constructor(plain: unknown) {
    this.plain = plain;
  }

  /** This, of an object, with one member of it; without any where it has none of that name. */
  only(name: string): JsonCopy {
    const { plain } = this;
    if (typeof plain !== 'object' || plain === null || !Object.hasOwn(plain, name)) return new JsonCopy({});
    return new JsonCopy({ [name]: (plain as Record<string, unknown>)[name] });
  }
}

/**
 * Copies a value that was read from JSON, for a document that is written later: nothing that changes the value changes the copy.
 * Numbers that JSON has not, which Python writes, become text.
 * @throws ArtError `ART_JSON_WRITE` with the JSON path, for what no JSON has: functions, objects with a class, cycles
 */
export function copyJson(value: unknown, { mapText, path = [] }: CopyJsonOptions = {}): JsonCopy {
  return new JsonCopy(toPlain(value, { names: [...path], ancestors: new Map(), mapText, isReceived: true }));
}

export interface Place {
  names: (string | number)[];
  /** The objects around the value, and the number of names that lead there. */
  ancestors: Map<object, number>;
  mapText: JsonTextMap | undefined;
  /** True if the value came out of a parser: then `NaN`, which Python writes, is meant, and no object has a class. */
  isReceived: boolean;
  /** Called with numbers that JSON has not, which are then written as null. Without it they are refused. */
  onNonFinite?: NonFiniteListener | undefined;
}

/** @param path where the number stands, `$.rewards[1]` */
export type NonFiniteListener = (value: number, path: string) => void;

// The copy is what gets written, so a getter or `toJSON` runs once and cannot answer differently the second time.
export function toPlain(value: unknown, place: Place): unknown {
  switch (typeof value) {
    case 'string':
      return place.mapText === undefined ? value : place.mapText(value, { kind: 'value', path: place.names });
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : nonFiniteToPlain(value, place);
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

function nonFiniteToPlain(value: number, place: Place): string | null {
  if (place.isReceived) return String(value);
  if (place.onNonFinite === undefined)
    refuse(place, `${value} is not a JSON number; store a finite number, a string or null`);
  place.onNonFinite(value, jsonPath(place.names));
  return null;
}

function objectToPlain(value: object, place: Place): unknown {
  if (value instanceof JsonCopy) return value.plain;
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
  const depth = place.names.length;
  // Of the size that it needs: one that grows keeps room for more, and copies may be kept for long.
  const plain = Array.from({ length: value.length }, (_, index) => {
    place.names[depth] = index;
    return toPlain(value[index], place);
  });
  place.names.length = depth;
  return plain;
}

function recordToPlain(value: object, place: Place): unknown {
  if (place.isReceived) {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null)
      refuse(place, `${describeValue(value)} is no JSON value`);
  } else {
    const converted = convert(value, place);
    if (converted !== undefined) return toPlain(converted.value, place);
  }
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

// What JSON.stringify writes instead of an object. Undefined where that is the object.
function convert(value: object, place: Place): { value: unknown } | undefined {
  if (value instanceof Date && Number.isNaN(value.getTime())) refuse(place, 'an invalid date is not JSON');
  const toJson = (value as { toJSON?: unknown }).toJSON;
  if (typeof toJson === 'function')
    return { value: toJson.call(value, String(place.names.at(-1) ?? '')) as unknown };
  if (value instanceof Number || value instanceof String || value instanceof Boolean)
    return { value: value.valueOf() };
  if (value instanceof Map) refuse(place, 'a Map would be written as {}; use Object.fromEntries(map)');
  if (value instanceof Set) refuse(place, 'a Set would be written as {}; use [...set]');
  if (ArrayBuffer.isView(value))
    refuse(place, `${describeValue(value)} would be written as an object; use Array.from(value)`);
  if (value instanceof Promise) refuse(place, 'a Promise would be written as {}; await it first');
  return undefined;
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

// In V8 since Node 21; TypeScript's library has no type for it yet.
const rawJson = (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON;

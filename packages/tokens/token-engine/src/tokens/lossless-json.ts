import { JsonScanner, writeArray, writeObject } from '@art/gateway/json-bytes';

/** A JSON number as it was written: `1.0` is not `1` for a chat template, and 2^60 has no double. */
export class JsonNumber {
  readonly literal: string;

  constructor(literal: string) {
    this.literal = literal;
  }

  /** True if Python's `json.loads` would make an `int` of it. */
  get isInteger(): boolean {
    return !/[.eE]/.test(this.literal);
  }
}

/**
 * JSON without loss: numbers keep their spelling, and objects keep the order of their fields also where a name looks
 * like an index, which a JavaScript object would move to the front.
 */
export type LosslessJson = null | boolean | string | JsonNumber | LosslessJson[] | LosslessObject;

export type LosslessObject = Map<string, LosslessJson>;

/**
 * Reads JSON text. Of a repeated field the last value counts, at the place of the first, as in Python.
 * @throws ArtError `ART_JSON_PARSE` with the offset in bytes
 */
export function parseLossless(text: string): LosslessJson {
  const scanner = new JsonScanner(Buffer.from(text), 0);
  const value = readValue(scanner);
  scanner.finish();
  return value;
}

/** Writes it back, numbers as they came, without blanks. */
export function stringifyLossless(value: LosslessJson): string {
  if (value instanceof JsonNumber) return value.literal;
  if (Array.isArray(value)) return writeArray(value.map(stringifyLossless));
  if (value instanceof Map) {
    return writeObject(Array.from(value, ([name, member]) => [name, stringifyLossless(member)] as const));
  }
  return JSON.stringify(value);
}

const words: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function readValue(scanner: JsonScanner): LosslessJson {
  switch (scanner.peek()) {
    case 0x7b: {
      const members: LosslessObject = new Map();
      for (let more = scanner.firstMember(); more; more = scanner.nextMember()) {
        const name = readString(scanner, scanner.keyStart, scanner.keyEnd);
        members.set(name, readValue(scanner));
      }
      return members;
    }
    case 0x5b: {
      const items: LosslessJson[] = [];
      for (let more = scanner.firstItem(); more; more = scanner.nextItem()) items.push(readValue(scanner));
      return items;
    }
    case 0x22: {
      const start = scanner.at;
      scanner.skipString();
      return readString(scanner, start, scanner.at);
    }
    default: {
      const literal = scanner.readText();
      const word = words.get(literal);
      // Python's NaN and Infinity are no JSON.
      if (word === undefined && /[NI]/.test(literal)) scanner.fail('a value of JSON');
      return word === undefined ? new JsonNumber(literal) : word;
    }
  }
}

function readString(scanner: JsonScanner, start: number, end: number): string {
  try {
    return JSON.parse(scanner.bytes.toString('utf8', start, end)) as string;
  } catch {
    scanner.at = start;
    return scanner.fail('a text with escapes of JSON');
  }
}

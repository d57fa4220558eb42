/** A value of a JSON document: plain JSON, plus `bigint` for integers past 2^53 and non-finite numbers when read. */
export type JsonValue = null | boolean | number | bigint | string | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue;
}

/** True if a value is an object in JSON's sense: not null, not an array. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Adds a member, whatever its name: plain assignment to `__proto__` would change the prototype instead. */
export function setOwnMember(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    record[name] = value;
  }
}

/**
 * Deepest nesting that is read by the tolerant parser or written. Python's own decoder gives up near here,
 * and an unbounded depth would let a document overflow the stack.
 */
export const maxJsonDepth = 1_000;

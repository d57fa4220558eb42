import { ArtError, describeValue, maxJsonDepth } from '@art/protocol';

/**
 * The copy of a payload that goes into the result document, taken before the handler can change anything. Python
 * callers may send `NaN` or `Infinity`, which no strict JSON document can hold: in the copy they are strings, while the
 * handler gets the numbers.
 * @throws ArtError `ART_INVALID_PAYLOAD` when the payload cannot be part of a document
 */
export function snapshotPayload(payload: Record<string, unknown>): Record<string, unknown> {
  // The payload is a member of the document, so it starts one level down.
  return copy(payload, 1) as Record<string, unknown>;
}

function copy(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'object':
      if (value === null) return null;
      if (depth >= maxJsonDepth) refuse(`at most ${maxJsonDepth - 1} levels of nesting`, 'more');
      return Array.isArray(value) ? value.map((item) => copy(item, depth + 1)) : copyRecord(value, depth);
    default:
      // Only a content type parser of the agent's own can bring one.
      return refuse('JSON values', describeValue(value));
  }
}

function copyRecord(value: object, depth: number): unknown {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) refuse('JSON values', describeValue(value));
  const record: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    // Plain assignment of this one name would set the prototype.
    if (name === '__proto__') {
      Object.defineProperty(record, name, {
        value: copy(member, depth + 1),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    } else {
      record[name] = copy(member, depth + 1);
    }
  }
  return record;
}

function refuse(expected: string, got: string): never {
  throw new ArtError({
    code: 'ART_INVALID_PAYLOAD',
    message: `Expected a payload of ${expected}, got ${got}.`,
  });
}

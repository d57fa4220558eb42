import { isJsonObject, type JsonObject } from '@art/ground';
import { sortedJson } from '../messages/sorted-json.ts';

/** Messages that appear once, however many calls repeat them. */
export class MessageTable {
  readonly messages: JsonObject[] = [];
  readonly #known = new Map<string, number>();

  /** @returns its index */
  add(message: JsonObject): number {
    const key = sortedJson(essence(message));
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.messages.push(message);
    this.#known.set(key, this.messages.length - 1);
    return this.messages.length - 1;
  }
}

/** Essence of a message: an agent that sends an answer back leaves out what was empty, and what only the engine writes. */
function essence(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(essence);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !isEmpty(member) && !(name === 'index' && typeof member === 'number'))
      .map(([name, member]) => [name, essence(member)]),
  );
}

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

import { JsonScanner } from './json-scanner.ts';
import { ByteEdits } from './byte-edits.ts';

/** Where a member is in the bytes. */
export interface ObjectMember {
  name: string;
  /** Its name's opening quote. */
  keyStart: number;
  valueStart: number;
  /** Exclusive. */
  valueEnd: number;
  /** Where the items of its array begin and end, alternating; only of the member that was asked for, if it is an array. */
  items?: readonly number[];
}

/** An object's members in order, repeated names included. */
export interface ObjectMembers {
  members: readonly ObjectMember[];
  /** The opening and the closing brace. */
  start: number;
  end: number;
  /** The member that counts where a name is repeated: the last one, as Python and JavaScript have it. */
  byName: ReadonlyMap<string, ObjectMember>;
}

/**
 * Lists the members of bytes that are one JSON object and nothing else.
 * undefined where they are other JSON (an array, a text).
 * @param itemsOf a member whose items are to be found on the same way
 * @throws JsonSyntaxError
 */
export function objectMembers(bytes: Uint8Array, itemsOf?: string): ObjectMembers | undefined {
  const scanner = new JsonScanner(bytes);
  if (scanner.skipUnlessObject()) {
    scanner.finish();
    return undefined;
  }
  const start = scanner.at;
  const members: ObjectMember[] = [];
  const byName = new Map<string, ObjectMember>();
  for (let more = scanner.firstMember(); more; more = scanner.nextMember()) {
    const { keyStart, valueStart } = scanner;
    const name = scanner.key();
    const items = name === itemsOf && scanner.peek() === 0x5b ? readItems(scanner) : undefined;
    if (items === undefined) scanner.skipValue();
    const member: ObjectMember = { name, keyStart, valueStart, valueEnd: scanner.at };
    if (items !== undefined) member.items = items;
    members.push(member);
    byName.set(name, member);
  }
  const end = scanner.at - 1;
  scanner.finish();
  return { members, start, end, byName };
}

function readItems(scanner: JsonScanner): number[] {
  const items: number[] = [];
  for (let more = scanner.firstItem(); more; more = scanner.nextItem()) {
    items.push(scanner.at);
    scanner.skipValue();
    items.push(scanner.at);
  }
  return items;
}

/**
 * Gives members of an object new values, as JSON text, and leaves every other byte alone. Where a name is repeated each of
 * them gets the value, so that it does not matter which one a reader takes; a name that is not there is added at the end.
 * The same object comes back where everything was so already.
 */
export function setMembers(
  bytes: Buffer,
  object: ObjectMembers,
  values: ReadonlyMap<string, string>,
): Buffer {
  if (values.size === 0) return bytes;
  const edits = new ByteEdits();
  for (const member of object.members) {
    const value = values.get(member.name);
    if (value === undefined) continue;
    const isSame = bytes.toString('utf8', member.valueStart, member.valueEnd) === value;
    if (!isSame) edits.replace(member.valueStart, member.valueEnd, Buffer.from(value));
  }
  const added: string[] = [];
  for (const [name, value] of values) {
    if (!object.byName.has(name)) added.push(`${JSON.stringify(name)}:${value}`);
  }
  if (added.length > 0) {
    const at = object.members.at(-1)?.valueEnd ?? object.end;
    const comma = object.members.length > 0 ? ',' : '';
    edits.replace(at, at, Buffer.from(comma + added.join(',')));
  }
  return edits.apply(bytes);
}

/** True if Python takes a value's JSON text for true: not null, false, zero, or an empty text, list or object. */
export function isTruthyJson(text: string | undefined): boolean {
  if (text === undefined || text === 'null' || text === 'false' || text === '""') return false;
  return !/^(?:-?0(?:\.0+)?(?:[eE][+-]?\d+)?|\[\s*\]|\{\s*\})$/.test(text);
}

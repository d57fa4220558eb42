import { ByteEdits } from './byte-edits.ts';
import type { ObjectMembers } from './object-members.ts';

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

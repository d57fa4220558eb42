import { isJsonObject } from '@art/protocol';

/** The text of a member; empty where it is something else. */
export function textIn(value: Readonly<Record<string, unknown>>, name: string): string {
  const text = value[name];
  return typeof text === 'string' ? text : '';
}

/** The objects in a list; none where it is no list. */
export function objectsIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? (value as unknown[]).filter((entry) => isJsonObject(entry)) : [];
}

/** The sum of the counts among some members; undefined where none of them is a count. */
export function countsIn(value: unknown, names: readonly string[]): number | undefined {
  if (!isJsonObject(value)) return undefined;
  const counts = names
    .map((name) => value[name])
    .filter(
      (count): count is number => typeof count === 'number' && Number.isSafeInteger(count) && count >= 0,
    );
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
}

import { isJsonObject, type JsonObject, refuseOption } from '@art/ground';

/**
 * Puts file systems of a runtime beside those that it has. One at the path of another takes its place, and keeps what was added to that by
 * hand, such as a region.
 * @throws ArtError `ART_INVALID_OPTION` where one of another kind is at the path
 */
export function mergeFileSystems(theirs: unknown, ours: unknown): JsonObject[] {
  const [merged = [], added = []] = [theirs, ours].map((list) =>
    Array.isArray(list) ? list.filter(isJsonObject) : [],
  ) as JsonObject[][];
  for (const own of added) {
    const { kind, path, settings } = partsOf(own);
    const at = merged.findIndex((one) => partsOf(one).path === path);
    const there = partsOf(merged[at] ?? { [kind]: {} });
    if (there.kind !== kind)
      refuseOption('resultsMount', `a path without another file system, which here is ${there.kind}`, path);
    const { prefix: _, ...rest } = there.settings;
    merged.splice(at === -1 ? merged.length : at, 1, { [kind]: { ...rest, ...settings } });
  }
  return merged;
}

/** Parts of a file system, which is an object with one member, such as `s3BucketMount`. */
function partsOf(one: JsonObject): { kind: string; path: unknown; settings: JsonObject } {
  const [kind = '', value] = Object.entries(one)[0] ?? [];
  const settings = isJsonObject(value) ? value : {};
  const { mountPath: path } = settings;
  return { kind, path: typeof path === 'string' ? path.replace(/\/$/, '') : path, settings };
}

/** The files that the clerk works on, by name. In memory: nothing has to be removed. */
export type OfficeFiles = Map<string, Uint8Array>;

/** @param encoded base64 by name */
export function decodeFiles(encoded: Readonly<Record<string, string>>): OfficeFiles {
  return new Map(Object.entries(encoded).map(([name, text]) => [name, Buffer.from(text, 'base64')]));
}

export function encodeFiles(files: OfficeFiles): Record<string, string> {
  return Object.fromEntries([...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]));
}

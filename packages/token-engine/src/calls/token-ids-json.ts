/** Token ids as a JSON array. */
export function tokenIdsJson(ids: Int32Array): string {
  return `[${ids.join(',')}]`;
}

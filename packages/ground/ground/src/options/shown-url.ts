/** The beginning of an address as browsers read it: a scheme, and slashes of either kind. */
const scheme = /^[a-z][a-z0-9+.-]*:[/\\]+/i;

/**
 * An address as it may be shown: without what stands before its last `@`, and without its query, where keys and passwords are. It need not
 * be a URL, as what is shown is often wrong in some way.
 */
export function shownUrl(text: string): string {
  const at = text.lastIndexOf('@');
  const address = at === -1 ? text : `${scheme.exec(text)?.[0] ?? ''}[redacted]${text.slice(at)}`;
  return address.replace(/\?.+$/s, '?[redacted]');
}

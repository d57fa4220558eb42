/** Origin of an agent's `base_url`: an address that no host has, in front of the path of its session. */
const placeholderOrigin = 'http://reach.invalid';

// Of RFC 3986, without what would have another meaning once it is decoded: dots, slashes, backslashes, control characters.
const plainSegment = /^(?:[\w.~!$&'()*+,;=:@-]|%(?!2[ef]|5c|[01]|7f)[\da-f]{2})*$/i;
const plainQuery = /^[\w.~!$&'()*+,;=:@/?%[\]{}|-]*$/;

/**
 * Agents that do not know `reach` cannot resolve this name, and fail, instead of calling somebody else.
 * Source: RFC 6761, section 6.4.
 * @param path `/sessions/ID/v1`
 */
export function placeholderUrl(path: string): string {
  return placeholderOrigin + path;
}

/** The path of `placeholderUrl`; undefined for any other address. */
export function placeholderPath(url: string | undefined): string | undefined {
  const path =
    url?.startsWith(`${placeholderOrigin}/`) === true ? url.slice(placeholderOrigin.length) : undefined;
  return path !== undefined && isBelow(path, '') ? path : undefined;
}

/**
 * True if the target of a request is at or below the model API of one session. Nothing is normalised: a target with dot
 * segments, empty ones, encoded slashes or an origin is refused, so that no server behind can read another path out of
 * it.
 * @param target as in the request line
 * @param path `/sessions/ID/v1`
 */
export function isSessionTarget(target: string, path: string): boolean {
  const [own = '', ...query] = target.split('?');
  return isBelow(own, path) && plainQuery.test(query.join('?'));
}

function isBelow(target: string, path: string): boolean {
  if (target === path) return true;
  if (!target.startsWith(`${path}/`)) return false;
  const [, ...segments] = target.split('/');
  return segments.every(
    (segment) => segment !== '' && segment !== '.' && segment !== '..' && plainSegment.test(segment),
  );
}

// Browsers and resolvers take every name under `localhost` for loopback. Source: RFC 6761, section 6.3.
const loopback =
  /^(([a-z0-9-]+\.)*localhost\.?|127(\.\d{1,3}){3}|\[?(::1|::ffff:127(\.\d{1,3}){3}|::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})\]?)$/i;

/** True if only this machine reaches a host, in the spelling of `listen`, `address()` or `URL.hostname`. */
export function isLoopback(host: string): boolean {
  return loopback.test(host);
}

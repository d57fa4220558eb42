// Browsers and resolvers take every name under `localhost` for loopback. Source: RFC 6761, section 6.3.
const loopback =
  /^(([a-z0-9-]+\.)*localhost\.?|127(\.\d{1,3}){3}|\[?(::1|::ffff:127(\.\d{1,3}){3}|::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4})\]?)$/i;

/** Whether only this machine reaches a host, as `listen` is given it, `address()` tells it, or `URL.hostname` spells it. */
export function isLoopback(host: string): boolean {
  return loopback.test(host);
}

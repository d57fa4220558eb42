/**
 * Whether a `Host` header names this machine by a name that only loopback can have. Another name in it means that somebody
 * else's name resolves to 127.0.0.1: a web page that has its own name rebound, and then counts as being of the same origin.
 * A request without the header, which HTTP/1.0 allows, comes from no browser.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  return (
    host === undefined || /^(127(\.\d{1,3}){3}|\[::1\]|([a-z0-9-]+\.)*localhost)(:\d{1,5})?$/i.test(host)
  );
}

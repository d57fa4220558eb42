/**
 * Headers of one connection, in lower case, which anyone who passes a message on leaves out, beside those that its `Connection`
 * names. Source: RFC 9110, section 7.6.1.
 */
export const connectionHeaders: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

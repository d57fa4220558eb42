// Those of the connection. Source: RFC 9110, section 7.6.1; `expect` was answered by this server already.
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

/** A request's headers as they came, but for those of the connection; names and values in turn. */
export function pipedRequestHeaders(raw: readonly string[]): string[] {
  const piped: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    if (!ofConnection.has(raw[at]!.toLowerCase())) piped.push(raw[at]!, raw[at + 1]!);
  }
  return piped;
}

/** A reply's headers, but for those of the connection. */
export function pipedReplyHeaders(
  headers: Readonly<Record<string, string | string[]>>,
): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)));
}

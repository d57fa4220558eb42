/** Longest session id; URLs have to hold it. */
const maxSessionIdLength = 512;

/** Ids of trainers contain `/`, `:` and blanks; control characters would forge log lines and headers. */
export function isGatewaySessionId(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length > 0 &&
    value.length <= maxSessionIdLength &&
    // eslint-disable-next-line no-control-regex -- they are what is looked for
    !/[\u0000-\u001f\u007f]/.test(value) &&
    value.isWellFormed()
  );
}

/** What is expected of a session id, for messages. */
export const sessionIdRule = `1 to ${maxSessionIdLength} characters without control characters`;

/**
 * The path of a session's API, `/sessions/{sid}/v1`. `/` and `:` stay readable, as trainers build the same path by hand;
 * only what would end the path or change when it is decoded is escaped.
 */
export function sessionPath(sessionId: string): string {
  return `/sessions/${sessionId.replace(/[%?#\\\s"<>^`{|}]/g, encodeURIComponent)}/v1`;
}

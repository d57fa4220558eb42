/** One server-sent event. `json` has no line breaks: it is JSON written on one line. */
export function sseEvent(name: string, json: string): string {
  return `event: ${name}\ndata: ${json}\n\n`;
}

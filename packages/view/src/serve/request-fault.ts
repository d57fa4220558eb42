import type { IncomingMessage } from 'node:http';

/** Why a request is refused: transcripts are nobody's business but of who sits at this machine. Undefined for one that is served. */
export function requestFault({
  method,
  headers,
}: Pick<IncomingMessage, 'method' | 'headers'>): { status: number; message: string } | undefined {
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, message: 'Only GET is answered here.' };
  // A page of somebody else, whose name was made to resolve to 127.0.0.1, tells that name.
  if (!/^(127\.0\.0\.1|localhost)(:\d{1,5})?$/i.test(headers.host ?? '')) {
    return {
      status: 403,
      message: 'This page answers to 127.0.0.1 and localhost only. Use its address as it was printed.',
    };
  }
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined;
  // A link from elsewhere may open the page; only what reads data is refused.
  if (headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document') return undefined;
  return { status: 403, message: 'Pages of other origins are not answered.' };
}

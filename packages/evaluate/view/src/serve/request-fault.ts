import type { IncomingMessage } from 'node:http';
import { refusedCaller } from '@art/ground';

/** Why a request is refused: transcripts are nobody's business but of who sits at this machine. Undefined for one that is served. */
export function whyRefused({
  method,
  headers,
}: Pick<IncomingMessage, 'method' | 'headers'>): { status: number; message: string } | undefined {
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, message: 'Only GET is answered here.' };
  const refusal = refusedCaller({ method, headers }, { host: '127.0.0.1', pages: 'own' });
  return refusal && { status: 403, message: refusal.message };
}

import type { IncomingMessage } from 'node:http';
import { refusedCaller } from '@art/ground';

/** Reason to refuse a request: only the local user may read transcripts. Undefined for one that is served. */
export function whyRefused({
  method,
  headers,
}: Pick<IncomingMessage, 'method' | 'headers'>): { status: number; message: string } | undefined {
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, message: 'Only GET is answered here.' };
  const refusal = refusedCaller({ method, headers }, { host: '127.0.0.1', pages: 'own' });
  return refusal && { status: 403, message: refusal.message };
}

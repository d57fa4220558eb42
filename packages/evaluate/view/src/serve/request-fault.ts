import type { IncomingMessage } from 'node:http';
import { refusedCaller } from '@art/ground';

/** Reason to refuse a request: only the local user may read transcripts. Undefined for one that is served. */
export function whyRefused({
  method,
  headers,
  url = '',
}: Pick<IncomingMessage, 'method' | 'headers' | 'url'>): { status: number; message: string } | undefined {
  const writes = method === 'POST' && /^\/runs\/\d+\/annotations$/.test(url);
  if (method !== 'GET' && method !== 'HEAD' && !writes)
    return { status: 405, message: 'Only GET is answered here.' };
  // What a form of another page can send is not JSON.
  if (writes && headers['content-type'] !== 'application/json')
    return { status: 415, message: 'Expected an annotation as application/json.' };
  const refusal = refusedCaller({ method, headers }, { host: '127.0.0.1', pages: 'own' });
  return refusal && { status: 403, message: refusal.message };
}

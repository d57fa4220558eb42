import { request } from 'node:http';
import { microsecondsNow, stampAges } from '../gateway/engine/stamp.ts';

/**
 * Streams one call. @returns how old each token was when it came, in milliseconds
 * @throws Error if the answer is no success, or breaks off
 */
export function tokenAges(baseUrl: string, body: Buffer, signal: AbortSignal): Promise<number[]> {
  const { promise, resolve, reject } = Promise.withResolvers<number[]>();
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const call = request(`${baseUrl}/chat/completions`, { method: 'POST', headers, signal });
  call.on('error', reject);
  call.on('response', (answer) => {
    const ages: number[] = [];
    let rest = '';
    answer.on('data', (chunk: Buffer) => {
      const now = microsecondsNow();
      const lines = rest + chunk.toString('latin1');
      const end = lines.lastIndexOf('\n') + 1;
      rest = lines.slice(end);
      ages.push(...stampAges(lines.slice(0, end), now));
    });
    answer.on('error', reject);
    answer.on('end', () => {
      if (answer.statusCode === 200) resolve(ages);
      else reject(new Error(`answered ${answer.statusCode}: ${rest.slice(0, 300)}`));
    });
  });
  call.end(body);
  return promise;
}

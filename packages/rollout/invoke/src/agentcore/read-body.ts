import { Readable } from 'node:stream';

/** The part of the SDK's response stream that is used. */
export interface SdkBody {
  transformToString(encoding?: string): Promise<string>;
}

/**
 * Reads a response to its end. Reading is not optional: an unread body keeps its socket out of the pool.
 * The SDK's abort signal no longer acts once the headers are there, so the body is torn down here.
 */
export async function readBody(body: SdkBody | undefined, signal: AbortSignal): Promise<string> {
  if (body === undefined) return '';
  const tearDown = (): void => {
    if (body instanceof Readable) body.destroy(new Error('The call was aborted.'));
  };
  signal.addEventListener('abort', tearDown, { once: true });
  if (signal.aborted) tearDown();
  try {
    return await body.transformToString('utf-8');
  } finally {
    signal.removeEventListener('abort', tearDown);
  }
}

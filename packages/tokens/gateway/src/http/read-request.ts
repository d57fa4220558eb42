import type { IncomingMessage } from 'node:http';
import { ApiError } from './api-error.ts';

/**
 * The bytes of a request's body.
 * @throws ApiError 413 longer than the limit; 415 compressed; 400 the agent left in mid-body
 */
export function readRequestBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    return Promise.reject(
      new ApiError({
        status: 415,
        message: `Expected a request body without content-encoding, got "${encoding}". Send it uncompressed.`,
        code: 'unsupported_content_encoding',
      }),
    );
  }
  if (Number(request.headers['content-length'] ?? 0) > limitBytes)
    return Promise.reject(tooLarge(limitBytes));
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const onData = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > limitBytes) finish(() => reject(tooLarge(limitBytes)));
    else chunks.push(chunk);
  };
  const onEnd = (): void =>
    finish(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)));
  const onBroken = (): void =>
    finish(() => reject(new ApiError({ status: 400, message: 'The connection broke in mid-request.' })));
  const finish = (settle: () => void): void => {
    request.off('data', onData).off('end', onEnd).off('close', onBroken).off('error', onBroken);
    settle();
  };
  request.on('data', onData).on('end', onEnd).on('close', onBroken).on('error', onBroken);
  return promise;
}

function tooLarge(limitBytes: number): ApiError {
  return new ApiError({
    status: 413,
    message: `Expected a request body of at most ${limitBytes} bytes. Shorten it or raise bodyLimitBytes.`,
    code: 'request_too_large',
  });
}

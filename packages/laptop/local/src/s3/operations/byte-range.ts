import type { ByteRange } from '../backend/object-backend.ts';
import { s3Error } from '../wire/s3-error.ts';

/**
 * The bytes that a `Range` header asks for (RFC 9110, section 14). Undefined for the whole object: without a header,
 * with one that is not understood, and with several ranges, which S3 does not serve.
 * @throws S3Error InvalidRange when no byte of the object is in it
 */
export function readByteRange(header: string | undefined, sizeBytes: number): ByteRange | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replaceAll(' ', '') ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (first === '' && last === '') return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (start > end) {
    throw s3Error('InvalidRange', {
      details: { RangeRequested: header ?? '', ActualObjectSize: sizeBytes },
      headers: { 'content-range': `bytes */${sizeBytes}` },
    });
  }
  return { start, end };
}

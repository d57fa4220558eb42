import type { KeyIndex } from './key-index.ts';
import { xmlAnswer, type WireAnswer } from './wire-answer.ts';

/** Source: S3 API reference, ListObjectsV2. */
const maxKeysOfS3 = 1_000;

/** ListObjectsV2, with as much of its answer as clients read. */
export function listObjects(index: KeyIndex, bucket: string, query: URLSearchParams): WireAnswer {
  const prefix = query.get('prefix') ?? '';
  const token = query.get('continuation-token');
  const limit = Math.min(maxKeysOfS3, Number(query.get('max-keys') ?? maxKeysOfS3));
  const startAfter =
    token === null ? (query.get('start-after') ?? '') : Buffer.from(token, 'base64url').toString();
  const isUrlEncoded = query.get('encoding-type') === 'url';
  const write = isUrlEncoded ? encodeURIComponent : escapeXml;
  const { keys, isTruncated } = index.page({ prefix, startAfter, limit });
  const last = keys.at(-1);
  return xmlAnswer(
    [
      `<ListBucketResult><Name>${bucket}</Name><Prefix>${write(prefix)}</Prefix>`,
      `<MaxKeys>${limit}</MaxKeys><KeyCount>${keys.length}</KeyCount><IsTruncated>${isTruncated}</IsTruncated>`,
      isUrlEncoded ? '<EncodingType>url</EncodingType>' : '',
      isTruncated && last !== undefined
        ? `<NextContinuationToken>${Buffer.from(last).toString('base64url')}</NextContinuationToken>`
        : '',
      ...keys.map((key) => `<Contents><Key>${write(key)}</Key><Size>1</Size></Contents>`),
      '</ListBucketResult>',
    ].join(''),
  );
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

import { expect, it } from 'vitest';

import { decodeAwsChunked } from './decode-aws-chunked.ts';

async function* pieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function decode(
  text: string,
  size: number,
): Promise<{ data: string; trailers: Record<string, string> }> {
  const trailers = new Map<string, string>();
  const parts = await Array.fromAsync(decodeAwsChunked(pieces(text, size), trailers));
  return { data: Buffer.concat(parts).toString(), trailers: Object.fromEntries(trailers) };
}

const body =
  '6;chunk-signature=00\r\nh\r\nllo\r\n1\r\n \r\n5\r\nworld\r\n0;chunk-signature=11\r\nX-Amz-A: 1:2 \r\nx-b:\r\n\r\n';

it('decodes a body however the network cuts it', async () => {
  for (let size = 1; size <= body.length; size += 1) {
    expect(await decode(body, size)).toEqual({
      data: 'h\r\nllo world',
      trailers: { 'x-amz-a': '1:2', 'x-b': '' },
    });
  }
});

it('refuses a body that is cut off anywhere', async () => {
  for (let end = 0; end < body.length; end += 1) {
    await expect(decode(body.slice(0, end), 7)).rejects.toMatchObject({ s3Code: 'IncompleteBody' });
  }
});

it('refuses what follows the end, endless lines and endless trailers', async () => {
  await expect(decode(`${body}x`, 9)).rejects.toMatchObject({ s3Code: 'IncompleteBody' });
  await expect(decode('1'.repeat(9_000), 100)).rejects.toMatchObject({ s3Code: 'IncompleteBody' });
  const trailers = Array.from({ length: 40 }, (_, index) => `x-${index}:y\r\n`).join('');
  await expect(decode(`0\r\n${trailers}\r\n`, 100)).rejects.toMatchObject({
    s3Code: 'MalformedTrailerError',
  });
});

it('passes the bytes on without copying them', async () => {
  const data = Buffer.alloc(100_000, 'x');
  const framed = Buffer.concat([Buffer.from('186a0\r\n'), data, Buffer.from('\r\n0\r\n\r\n')]);
  const source = (async function* () {
    yield framed;
  })();
  const out = await Array.fromAsync(decodeAwsChunked(source, new Map()));
  expect(out).toHaveLength(1);
  expect(out[0]?.buffer).toBe(framed.buffer);
});

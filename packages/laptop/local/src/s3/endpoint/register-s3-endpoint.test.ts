import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

import { GetObjectCommand, HeadBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { MemoryObjectBackend } from '../backend/memory-object-backend.ts';
import { readObject, storeObject } from '../backend/store-object.fixture.ts';
import { parseReply, rawConnect, rawRequest } from '@art/tooling/raw-http';
import { registerS3Endpoint } from './register-s3-endpoint.ts';
import { makeTestDirectory, startTestEndpoint, type TestEndpoint } from '../s3-endpoint.fixture.ts';

const bucket = 'test-bucket';
const codeOf = (reply: { body: string }): string | undefined => /<Code>(\w+)<\/Code>/.exec(reply.body)?.[1];
const crc32Of = (text: string): string => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString('base64');
};

describe('the S3 endpoint over raw HTTP', () => {
  const backend = new MemoryObjectBackend();
  let endpoint: TestEndpoint;
  beforeAll(async () => {
    endpoint = await startTestEndpoint({ backend, maxObjectBytes: 1_000_000 });
  });
  afterAll(async () => endpoint.close());

  const send = (method: string, path: string, headers?: Record<string, string>, body?: string | Buffer) =>
    rawRequest(endpoint.port, method, path, headers, body);
  const stored = (key: string) => readObject(backend, { bucket, key });

  it('works without credentials and gives every answer a request id', async () => {
    const put = await send('PUT', `/${bucket}/plain?x-id=PutObject`, {}, 'hello');
    expect(put.status).toBe(200);
    expect(put.headers['etag']).toBe(`"${createHash('md5').update('hello').digest('hex')}"`);
    const get = await send('GET', `/${bucket}/plain?X-Amz-Signature=abc&X-Amz-Expires=60`);
    expect(get).toMatchObject({ status: 200, body: 'hello' });
    expect(get.headers).toMatchObject({ 'content-type': 'binary/octet-stream', 'content-length': '5' });
    const ids = [put, get, await send('GET', '/none/none')].map((reply) => reply.headers['x-amz-request-id']);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[0-9A-F]{16}$/);
  });

  it.each([
    ['content-md5', 'not base64', 'InvalidDigest'],
    ['content-md5', createHash('md5').update('other').digest('base64'), 'BadDigest'],
    ['x-amz-checksum-crc32', crc32Of('other'), 'BadDigest'],
    ['x-amz-checksum-crc32c', 'AAAAAA==', 'BadDigest'],
    ['x-amz-checksum-crc64nvme', 'AAAAAAAAAAA=', 'BadDigest'],
    ['x-amz-checksum-sha1', createHash('sha1').update('other').digest('base64'), 'BadDigest'],
    ['x-amz-checksum-sha256', createHash('sha256').update('other').digest('base64'), 'BadDigest'],
    ['x-amz-checksum-crc32', 'AAA=', 'InvalidRequest'],
    ['x-amz-checksum-xxhash3', 'AAAAAAAAAAA=', 'NotImplemented'],
    ['x-amz-sdk-checksum-algorithm', 'CRC32', 'InvalidRequest'],
    ['x-amz-content-sha256', createHash('sha256').update('other').digest('hex'), 'XAmzContentSHA256Mismatch'],
    ['x-amz-content-sha256', 'neither', 'InvalidArgument'],
  ])('refuses a body that is not what %s says (%s): %s', async (name, value, code) => {
    const reply = await send('PUT', `/${bucket}/refused`, { [name]: value }, 'hello');
    expect(codeOf(reply)).toBe(code);
    expect(reply.status).toBe(code === 'NotImplemented' ? 501 : 400);
    expect(await stored('refused')).toBeUndefined();
  });

  const chunked = (body: string, headers: Record<string, string> = {}) =>
    send(
      'PUT',
      `/${bucket}/chunked`,
      {
        'content-encoding': 'aws-chunked,gzip',
        'x-amz-decoded-content-length': '11',
        'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
        'x-amz-trailer': 'x-amz-checksum-crc32',
        ...headers,
      },
      body,
    );

  it('takes aws-chunked off, with signatures and trailers', async () => {
    const signed = `6;chunk-signature=${'a'.repeat(64)}\r\nhello \r\n5;chunk-signature=${'b'.repeat(64)}\r\nworld\r\n0;chunk-signature=c\r\n`;
    const reply = await chunked(
      `${signed}x-amz-checksum-crc32:${crc32Of('hello world')}\r\nx-amz-trailer-signature:d\r\n\r\n`,
      {
        'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER',
      },
    );
    expect(reply.status).toBe(200);
    expect(reply.headers['x-amz-checksum-crc32']).toBe('DUoRhQ==');
    const get = await send('GET', `/${bucket}/chunked`, { 'x-amz-checksum-mode': 'ENABLED' });
    expect(get.body).toBe('hello world');
    expect(get.headers).toMatchObject({ 'content-encoding': 'gzip', 'x-amz-checksum-crc32': 'DUoRhQ==' });
    const part = await send('GET', `/${bucket}/chunked`, {
      'x-amz-checksum-mode': 'ENABLED',
      range: 'bytes=0-4',
    });
    expect(part).toMatchObject({ status: 206, body: 'hello' });
    expect(part.headers['content-range']).toBe('bytes 0-4/11');
    expect(part.headers['x-amz-checksum-crc32']).toBeUndefined();
  });

  it.each([
    [
      'a wrong trailer',
      `b\r\nhello world\r\n0\r\nx-amz-checksum-crc32:${crc32Of('x')}\r\n\r\n`,
      {},
      'BadDigest',
    ],
    ['a missing trailer', 'b\r\nhello world\r\n0\r\n\r\n', {}, 'MalformedTrailerError'],
    ['a trailer without a name', 'b\r\nhello world\r\n0\r\nnonsense\r\n\r\n', {}, 'MalformedTrailerError'],
    ['no last chunk', 'b\r\nhello world\r\n', {}, 'IncompleteBody'],
    ['too few bytes', '5\r\nhello\r\n0\r\n\r\n', {}, 'IncompleteBody'],
    ['too many bytes', 'c\r\nhello world!\r\n0\r\n\r\n', {}, 'IncompleteBody'],
    ['a size that is none', 'zz\r\nhello world\r\n0\r\n\r\n', {}, 'IncompleteBody'],
    ['a chunk longer than its size', 'a\r\nhello world\r\n0\r\n\r\n', {}, 'IncompleteBody'],
    [
      'no decoded length',
      'b\r\nhello world\r\n0\r\n\r\n',
      { 'x-amz-decoded-content-length': 'many' },
      'InvalidArgument',
    ],
  ])('refuses an aws-chunked body with %s', async (_, body, headers, code) => {
    await send('DELETE', `/${bucket}/chunked`);
    expect(codeOf(await chunked(body, headers))).toBe(code);
    expect(await stored('chunked')).toBeUndefined();
  });

  it('wants to know the length of a body, and refuses one that is too large', async () => {
    const unknown = await send(
      'PUT',
      `/${bucket}/k`,
      { 'transfer-encoding': 'chunked' },
      '5\r\nhello\r\n0\r\n\r\n',
    );
    expect(unknown.status).toBe(411);
    expect(codeOf(unknown)).toBe('MissingContentLength');
    const large = await send('PUT', `/${bucket}/k`, {}, Buffer.alloc(1_000_001));
    expect(codeOf(large)).toBe('EntityTooLarge');
  });

  it('asks for a body only when the write can succeed', async () => {
    await storeObject(backend, { bucket, key: 'there' }, 'old');
    const wait = { expect: '100-continue', 'content-length': '3', 'if-none-match': '*' };
    const refused = await send('PUT', `/${bucket}/there`, wait);
    expect(refused).toMatchObject({ continued: false, status: 412 });
    expect(refused.headers['connection']).toBe('close');
    expect(codeOf(refused)).toBe('PreconditionFailed');

    const { socket, received, ended } = await rawConnect(endpoint.port);
    socket.write(
      `PUT /${bucket}/fresh HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\nexpect: 100-continue\r\ncontent-length: 3\r\nif-none-match: *\r\n\r\n`,
    );
    await vi.waitFor(() => expect(received()).toMatch(/^HTTP\/1\.1 100 /));
    socket.write('new');
    await ended;
    expect(parseReply(received())).toMatchObject({ continued: true, status: 200 });
    expect(await stored('fresh')).toBe('new');
  });

  it('leaves 100 Continue of other routes as it was', async () => {
    const reply = await send(
      'POST',
      '/runtimes/a/invocations',
      { expect: '100-continue', 'content-type': 'application/json' },
      '{"a":1}',
    );
    expect(reply).toMatchObject({ continued: true, status: 200, body: '{"got":{"a":1}}' });
    expect((await send('GET', '/runtimes/other')).body).toBe('{"route":"other"}');
  });

  it('keeps a connection usable after a refusal with a body', async () => {
    const { socket, received, ended } = await rawConnect(endpoint.port);
    const body = 'x'.repeat(300_000);
    socket.write(
      `PUT /${bucket}/there HTTP/1.1\r\nhost: 127.0.0.1\r\nif-none-match: *\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    socket.write(`GET /${bucket}/there HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`);
    await ended;
    expect(received()).toMatch(/^HTTP\/1\.1 412 [\s\S]*HTTP\/1\.1 200 [\s\S]*\r\n\r\nold$/);
  });

  it('answers HEAD without a body, also for errors', async () => {
    const missing = await send('HEAD', `/${bucket}/missing`);
    expect(missing).toMatchObject({ status: 404, body: '' });
    const there = await send('HEAD', `/${bucket}/there`);
    expect(there).toMatchObject({ status: 200, body: '' });
    expect(there.headers).toMatchObject({ 'content-length': '3', 'accept-ranges': 'bytes' });
  });

  it.each([
    ['PUT', '/AB/key', 400, 'InvalidBucketName'],
    ['PUT', '/ab/key', 400, 'InvalidBucketName'],
    ['GET', '/192.168.0.1', 400, 'InvalidBucketName'],
    ['GET', `/${'b'.repeat(200)}/key`, 400, 'InvalidBucketName'],
    ['GET', '/..%2F..%2Fetc/passwd', 400, 'InvalidBucketName'],
    ['GET', `/${bucket}/${'k'.repeat(1_025)}`, 400, 'KeyTooLongError'],
    ['GET', `/${bucket}/${'%C3%A4'.repeat(513)}`, 400, 'KeyTooLongError'],
    ['GET', `/${bucket}?list-type=2&max-keys=-1`, 400, 'InvalidArgument'],
    ['GET', `/${bucket}?list-type=2&continuation-token=nonsense`, 400, 'InvalidArgument'],
    ['GET', `/${bucket}?list-type=2&encoding-type=base64`, 400, 'InvalidArgument'],
    ['GET', `/${bucket}?acl`, 501, 'NotImplemented'],
    ['GET', `/${bucket}?versioning`, 501, 'NotImplemented'],
    ['POST', `/${bucket}/key?uploads`, 501, 'NotImplemented'],
    ['PUT', `/${bucket}/key?partNumber=1&uploadId=x`, 501, 'NotImplemented'],
    ['POST', `/${bucket}`, 501, 'NotImplemented'],
    ['DELETE', '/', 405, 'MethodNotAllowed'],
    ['PATCH', `/${bucket}/key`, 405, 'MethodNotAllowed'],
    ['POST', `/${bucket}?delete`, 400, 'MalformedXML'],
  ])('%s %s is %d %s', async (method, path, status, code) => {
    const reply = await send(method, path);
    expect([reply.status, codeOf(reply)]).toEqual([status, code]);
    expect(reply.headers['content-type']).toBe('application/xml');
  });

  it('takes a key of exactly 1,024 bytes', async () => {
    const key = 'k'.repeat(1_024);
    expect((await send('PUT', `/${bucket}/${key}`, {}, 'x')).status).toBe(200);
    expect(await stored(key)).toBe('x');
  });

  it('refuses to copy, instead of storing an empty object', async () => {
    const reply = await send('PUT', `/${bucket}/copy`, { 'x-amz-copy-source': `/${bucket}/there` });
    expect(codeOf(reply)).toBe('NotImplemented');
    expect(await stored('copy')).toBeUndefined();
  });

  it.each([
    ['not XML', '<Delete'],
    ['another document', '<Other/>'],
    ['no key', '<Delete><Object/></Delete>'],
    ['its own entity', '<!DOCTYPE d [<!ENTITY e "x">]><Delete><Object><Key>&e;</Key></Object></Delete>'],
    ['bytes that are not UTF-8', Buffer.from([0x3c, 0xff, 0x3e])],
    ['more than 1,000 keys', `<Delete>${'<Object><Key>k</Key></Object>'.repeat(1_001)}</Delete>`],
  ])('refuses to delete by a document with %s', async (_, body) => {
    expect(codeOf(await send('POST', `/${bucket}?delete`, {}, body))).toBe('MalformedXML');
  });

  it('tells each key that could not be deleted, and is quiet when asked', async () => {
    await storeObject(backend, { bucket, key: 'a&b' }, 'x');
    const keys = ['a&amp;b', 'k'.repeat(1_025)].map((key) => `<Object><Key>${key}</Key></Object>`).join('');
    const body = `<?xml version="1.0"?><Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Quiet>true</Quiet>${keys}</Delete>`;
    const reply = await send('POST', `/${bucket}?delete`, {}, body);
    expect(reply.status).toBe(200);
    expect(reply.body).not.toContain('<Deleted>');
    expect(reply.body).toContain('<Code>KeyTooLongError</Code>');
    expect(await stored('a&b')).toBeUndefined();
  });

  it.each<[Record<string, string>]>([
    [{ origin: 'http://evil.example' }],
    [{ origin: 'null' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
  ])('refuses web pages: %o', async (headers) => {
    for (const method of ['GET', 'PUT', 'OPTIONS']) {
      const reply = await send(method, `/${bucket}/page`, headers);
      expect([reply.status, codeOf(reply)]).toEqual([403, 'AccessDenied']);
    }
  });

  it('answers control characters as references and url-encoded', async () => {
    await storeObject(backend, { bucket: 'control-keys', key: 'a\u0001\r<b> ' }, 'x');
    const plain = await send('GET', '/control-keys?list-type=2');
    expect(plain.body).toContain('<Key>a&#x1;&#xd;&lt;b&gt; </Key>');
    const encoded = await send('GET', '/control-keys?list-type=2&encoding-type=url');
    expect(encoded.body).toContain('<Key>a%01%0D%3Cb%3E%20</Key>');
  });
});

describe('the modes of the S3 endpoint', () => {
  it('hides what is not there from those who may not list', async () => {
    const endpoint = await startTestEndpoint({ listBucketAllowed: false });
    const send = (method: string, path: string, body = '') =>
      rawRequest(endpoint.port, method, path, {}, body);
    try {
      expect((await send('PUT', `/${bucket}/k`, 'x')).status).toBe(200);
      expect(await send('GET', `/${bucket}/k`)).toMatchObject({ status: 200, body: 'x' });
      expect((await send('HEAD', `/${bucket}/k`)).status).toBe(200);
      expect(await send('HEAD', `/${bucket}/none`)).toMatchObject({ status: 403, body: '' });
      const paths = [`/${bucket}/none`, `/${bucket}`, `/${bucket}?list-type=2`];
      for (const path of paths) {
        const reply = await send('GET', path);
        expect([reply.status, codeOf(reply)]).toEqual([403, 'AccessDenied']);
      }
    } finally {
      await endpoint.close();
    }
  });

  it('wants buckets to be created where that is asked for', async () => {
    const endpoint = await startTestEndpoint({ autoCreateBuckets: false });
    const put = () => endpoint.client.send(new PutObjectCommand({ Bucket: bucket, Key: 'k', Body: 'x' }));
    try {
      await expect(put()).rejects.toMatchObject({ name: 'NoSuchBucket' });
      await expect(
        endpoint.client.send(new GetObjectCommand({ Bucket: bucket, Key: 'k' })),
      ).rejects.toMatchObject({ name: 'NoSuchBucket' });
      await expect(endpoint.client.send(new HeadBucketCommand({ Bucket: bucket }))).rejects.toMatchObject({
        name: 'NotFound',
      });
      expect((await rawRequest(endpoint.port, 'PUT', `/${bucket}/`)).status).toBe(200);
      await put();
    } finally {
      await endpoint.close();
    }
  });

  it('leaves nothing of an upload that was cut off', async () => {
    const directory = await makeTestDirectory();
    const uploads = join(directory.path, '.s3', 'uploads');
    const endpoint = await startTestEndpoint({ backend: directory.backend });
    try {
      const { socket } = await rawConnect(endpoint.port);
      socket.write(
        `PUT /${bucket}/cut HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1000000\r\n\r\n${'x'.repeat(100_000)}`,
      );
      await vi.waitFor(async () => expect(await readdir(uploads)).toHaveLength(1));
      socket.destroy();
      await vi.waitFor(async () => expect(await readdir(uploads)).toHaveLength(0));
      expect((await rawRequest(endpoint.port, 'GET', `/${bucket}/cut`)).status).toBe(404);
      const wrong = await rawRequest(
        endpoint.port,
        'PUT',
        `/${bucket}/wrong`,
        { 'x-amz-checksum-crc32': 'AAAAAA==' },
        'x',
      );
      expect(codeOf(wrong)).toBe('BadDigest');
      expect(await readdir(uploads)).toHaveLength(0);
    } finally {
      await endpoint.close();
      await directory.remove();
    }
  });

  it.each([
    ['backend', {}],
    ['autoCreateBuckets', 'yes'],
    ['listBucketAllowed', 1],
    ['region', 'US West'],
    ['maxObjectBytes', 0],
  ])('names the option %s when it is wrong', async (name, value) => {
    const server = fastify();
    await expect(registerS3Endpoint(server, { [name]: value })).rejects.toMatchObject({
      code: 'ART_INVALID_OPTION',
      message: expect.stringContaining(`Expected \`${name}\` to be`) as string,
    });
    await server.close();
  });
});

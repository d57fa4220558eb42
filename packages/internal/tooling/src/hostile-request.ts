import fc from 'fast-check';
import { type RawReply, parseReply, rawConnect } from './raw-http.ts';

/** Pieces that have broken parsers before, and whatever else there is. */
const nastyText = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '%2e%2e',
    '%00',
    '%ff',
    '%',
    '%2',
    '//',
    '\\',
    '%0d%0aset-cookie:x',
    '__proto__',
    'constructor',
    '%c0%ae',
    '%ed%a0%80',
    '*',
    '?',
    '&',
    '=',
    ';',
    '<',
    '"',
    "'",
    '${x}',
    '%25%30%30',
    '😀',
    '\u0085',
    'a'.repeat(2_000),
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ maxLength: 20 }),
);

const nastyPath = (known: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...known, ''),
      fc.array(nastyText, { maxLength: 4 }),
      fc.constantFrom('/', '', '?', '&'),
    )
    .map(([start, parts, separator]) => `/${start}${parts.join(separator)}`);

const method = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom('GET', 'PUT', 'POST', 'HEAD', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE'),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
);

const headerName = fc.constantFrom(
  'content-type',
  'content-encoding',
  'content-md5',
  'expect',
  'range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'x-amz-content-sha256',
  'x-amz-decoded-content-length',
  'x-amz-checksum-crc32',
  'x-amz-checksum-sha256',
  'x-amz-checksum-mode',
  'x-amz-sdk-checksum-algorithm',
  'x-amz-trailer',
  'x-amz-copy-source',
  'x-amz-meta-a',
  'x-amzn-bedrock-agentcore-runtime-session-id',
  'amz-sdk-request',
  'origin',
  'host',
  'transfer-encoding',
  'content-length',
  'connection',
  'upgrade',
  'x-forwarded-host',
  '__proto__',
);
const headerValue = fc.oneof(
  fc.constantFrom(
    '*',
    '"*"',
    'gzip',
    'aws-chunked',
    'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    'UNSIGNED-PAYLOAD',
    '100-continue',
    '0',
    '-1',
    '1e9',
    '9'.repeat(30),
    'bytes=0-0',
    'bytes=-',
    'bytes=5-1,2-3',
    'AAAA',
    'x-amz-checksum-crc32',
    'ENABLED',
    'chunked',
    'evil.example',
    'a'.repeat(256),
    'attempt=99999999999999999999; max=3',
  ),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

const body = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.string({ maxLength: 200 }).map((text) => Buffer.from(text)),
  fc.json().map((text) => Buffer.from(text)),
  fc
    .constantFrom(
      '{"command":"true","command":"false"}',
      '{"__proto__":{"x":1}}',
      '{"clientToken":',
      '['.repeat(5_000),
      '<Delete><Object><Key>a</Key></Object></Delete>',
      '<Delete><Object><Key>',
      '<a>'.repeat(2_000),
      '<!DOCTYPE a [',
      '5\r\nhello\r\n0\r\n\r\n',
      'ffffffffffff\r\n',
      '0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n',
    )
    .map((text) => Buffer.from(text)),
);

/** One request as it goes over the wire, made of parts that look almost right. */
export function hostileRequest(knownPaths: readonly string[]): fc.Arbitrary<Buffer> {
  return fc
    .record({
      method,
      path: nastyPath(knownPaths),
      headers: fc.array(fc.tuple(headerName, headerValue), { maxLength: 6 }),
      body,
      hasLength: fc.integer({ min: 0, max: 9 }).map((one) => one > 0),
      flips: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 2 }),
      isWild: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
      isFlipped: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
    })
    .map((request) => {
      // Most requests get past the parser of HTTP, which would refuse all others.
      const { isWild } = request;
      const lines = [
        `${isWild ? request.method : knownMethod(request.method)} ${isWild ? request.path : printable(request.path, encodeCharacter)} HTTP/1.1`,
        'host: 127.0.0.1',
        'connection: close',
        ...(request.hasLength ? [`content-length: ${request.body.length}`] : []),
        ...request.headers
          .filter(([name]) => isWild || !framingHeaders.has(name))
          .map(([name, value]) => `${name}: ${isWild ? value : printable(value, () => '?')}`),
      ];
      const bytes = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), request.body]);
      if (request.isFlipped) for (const [at, value] of request.flips) bytes[at % bytes.length] = value;
      return bytes;
    });
}

/** Headers that make Node itself refuse a request when their values do not fit together. */
const framingHeaders = new Set([
  'transfer-encoding',
  'content-length',
  'connection',
  'upgrade',
  'expect',
  '__proto__',
]);

function knownMethod(asked: string): string {
  return /^[A-Z]{3,7}$/.test(asked) ? asked : 'PUT';
}

function printable(text: string, replace: (character: string) => string): string {
  return text.replaceAll(/[^\u0021-\u007e]/gu, replace);
}

function encodeCharacter(character: string): string {
  return Buffer.from(character).reduce((text, byte) => `${text}%${byte.toString(16).padStart(2, '0')}`, '');
}

const longestAnswerMs = 20_000;

/**
 * Sends bytes, and no more. Undefined for a connection that was closed without an answer: Node does that to some requests
 * that are not HTTP.
 */
export async function sendBytes(port: number, bytes: Buffer): Promise<RawReply | undefined> {
  const { socket, received, ended } = await rawConnect(port);
  const timer = setTimeout(() => socket.destroy(), longestAnswerMs);
  const startedMs = performance.now();
  // A request that announces more than it sends is over, too.
  socket.end(bytes);
  await ended;
  clearTimeout(timer);
  if (performance.now() - startedMs >= longestAnswerMs) throw new Error('No answer came, and no end.');
  const text = received();
  return text === '' ? undefined : parseReply(text);
}

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { WireRefusal } from './wire-refusal.ts';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

export interface VerifiedCall {
  method: string;
  /** As it came, with the query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const mostSkewMs = 300_000;

/**
 * Verifies Signature Version 4 of a call to `sagemaker`, down to the last byte.
 * Source: AWS General Reference, "Create a signed AWS API request".
 * @throws WireRefusal `InvalidSignatureException`, or `AccessDeniedException` where there is none
 */
export function verifySignature(
  { method, url, headers, body }: VerifiedCall,
  { region, credentials, epochMs }: { region: string; credentials: Credentials; epochMs: number },
): void {
  const { authorization = '' } = headers;
  const [, accessKey, date, scope, signedList = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      authorization,
    ) ?? [];
  if (accessKey === undefined) throw new WireRefusal('AccessDeniedException', 'Missing Authentication Token');
  const expectedScope = `${region}/sagemaker/aws4_request`;
  if (scope !== expectedScope)
    throw invalid(`Credential should be scoped to ${expectedScope}, got ${scope ?? ''}.`);
  if (accessKey !== credentials.accessKeyId)
    throw invalid('The security token included in the request is invalid.');

  const amzDate = headerText(headers, 'x-amz-date');
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(amzDate) ?? [];
  const signedMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (!(Math.abs(epochMs - signedMs) <= mostSkewMs) || !amzDate.startsWith(date!))
    throw invalid(`Signature expired or not yet valid: ${amzDate}.`);

  const names = signedList.split(';');
  if (!names.includes('host')) throw invalid('The host header must be signed.');
  const missing = Object.keys(headers).find((name) => mustBeSigned(name) && !names.includes(name));
  if (missing !== undefined) throw invalid(`The header ${missing} must be signed.`);
  const bodyHash = sha256(body);
  const claimedHash = headers['x-amz-content-sha256'];
  if (claimedHash !== undefined && claimedHash !== bodyHash)
    throw invalid('The body does not match x-amz-content-sha256.');

  const [path = '/', query = ''] = url.split('?');
  const canonical = [
    method,
    path.split('/').map(encodeOnceMore).join('/'),
    query.split('&').toSorted().join('&'),
    ...names.map((name) => `${name}:${headerText(headers, name)}`),
    '',
    signedList,
    bodyHash,
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', amzDate, `${date}/${expectedScope}`, sha256(canonical)].join('\n');
  const key = [date!, region, 'sagemaker', 'aws4_request'].reduce<Buffer | string>(
    (secret, part) => hmac(secret, part),
    `AWS4${credentials.secretAccessKey}`,
  );
  if (timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex'))) return;
  throw invalid(
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  );
}

function mustBeSigned(name: string): boolean {
  return name.startsWith('x-amz-') && name !== 'x-amz-content-sha256';
}

function headerText(headers: IncomingHttpHeaders, name: string): string {
  return String(headers[name] ?? '')
    .trim()
    .replaceAll(/ +/g, ' ');
}

/** Each segment of the path is encoded already, and is encoded again for the signature, as for every service but S3. */
function encodeOnceMore(segment: string): string {
  return encodeURIComponent(segment).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.codePointAt(0)!.toString(16).toUpperCase()}`,
  );
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: Buffer | string, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest();
}

function invalid(message: string): WireRefusal {
  return new WireRefusal('InvalidSignatureException', message);
}

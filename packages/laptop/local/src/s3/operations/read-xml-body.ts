import { contentEncodings, planBody, readObjectBody } from '../body/request-body.ts';
import type { S3Call } from './s3-call.ts';
import { notImplemented } from '../wire/s3-error.ts';
import { malformed, readXml, type XmlElement } from '../wire/xml-reader.ts';

/** 1,000 keys of 1,024 bytes, each byte escaped. */
const maxDocumentBytes = 8 * 1_024 ** 2;

/**
 * Reads and verifies the document of a request; undefined for an empty body.
 * @throws S3Error MalformedXML, EntityTooLarge and those of the body
 */
export async function readXmlBody(call: S3Call, rootName: string): Promise<XmlElement | undefined> {
  const encodings = contentEncodings(call.headers).filter(
    (encoding) => encoding !== 'aws-chunked' && encoding !== 'identity',
  );
  if (encodings.length > 0) throw notImplemented(`a document with content-encoding ${encodings.join(', ')}`);
  const plan = planBody({ 'content-length': '0', ...call.headers }, maxDocumentBytes);
  const chunks = await Array.fromAsync(readObjectBody(call, plan).chunks);
  if (plan.sizeBytes === 0) return undefined;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw malformed('not UTF-8', cause);
  }
  return readXml(text, rootName);
}

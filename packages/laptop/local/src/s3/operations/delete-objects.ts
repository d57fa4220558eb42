import { assertCommitted, readWriteCondition } from './conditions.ts';
import { assertKeyLength } from '../wire/s3-address.ts';
import { readXmlBody } from './read-xml-body.ts';
import { assertBucket, xmlReply, type S3Call, type S3Reply } from './s3-call.ts';
import { notImplemented, type S3Error } from '../wire/s3-error.ts';
import { toS3Error } from './to-s3-error.ts';
import { childText, malformed, type XmlElement } from '../wire/xml-reader.ts';

/** DeleteObject: 204 whether or not there was one. */
export async function deleteObject(call: S3Call): Promise<S3Reply> {
  const condition = readWriteCondition(call);
  await assertBucket(call);
  assertCommitted(await call.settings.backend.delete(call.at, condition), condition, call.at.key);
  return { statusCode: 204 };
}

/** API reference, DeleteObjects. */
const maxKeys = 1_000;

/** DeleteObjects: answers for each key what became of it. */
export async function deleteObjects(call: S3Call): Promise<S3Reply> {
  await assertBucket(call);
  const document = await readXmlBody(call, 'Delete');
  const keys = (document?.children ?? []).filter((child) => child.name === 'Object').map(keyOf);
  if (keys.length === 0 || keys.length > maxKeys || keys.includes('')) {
    throw malformed(`expected 1 to ${maxKeys} objects, each with a key`);
  }
  const isQuiet = childText(document ?? { name: '', children: [], text: '' }, 'Quiet')?.trim() === 'true';
  const deleted: string[] = [];
  const failed: { key: string; error: S3Error }[] = [];
  for (const key of keys) {
    try {
      assertKeyLength(key);
      await call.settings.backend.delete({ ...call.at, key }, { kind: 'always' });
      deleted.push(key);
    } catch (error) {
      failed.push({ key, error: toS3Error(error) });
    }
  }
  return xmlReply('DeleteResult', {
    Deleted: isQuiet ? [] : deleted.map((key) => ({ Key: key })),
    Error: failed.map(({ key, error }) => ({ Key: key, Code: error.s3Code, Message: error.message })),
  });
}

function keyOf(object: XmlElement): string {
  const { children } = object;
  if (children.filter(({ name }) => name === 'Key').length > 1) throw malformed('an object with two keys');
  // Leaving a condition out would delete what was not meant.
  const condition = children.find(({ name, text }) => name !== 'Key' && text !== 'null');
  if (condition !== undefined) throw notImplemented(`DeleteObjects with ${condition.name}`);
  return childText(object, 'Key') ?? '';
}

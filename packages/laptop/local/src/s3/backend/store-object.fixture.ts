import { createHash } from 'node:crypto';

import type { ObjectAddress, ObjectBackend, ObjectCommitOutcome, ObjectCondition } from './object-backend.ts';

/** Stores a text without the HTTP around it. */
export async function storeObject(
  backend: ObjectBackend,
  at: ObjectAddress,
  text: string | Buffer,
  condition: ObjectCondition = { kind: 'always' },
): Promise<ObjectCommitOutcome> {
  const properties = {
    etag: createHash('md5').update(text).digest('hex'),
    contentType: 'text/plain',
    headers: {},
    metadata: { by: 'test' },
  };
  const chunks = (async function* () {
    yield Buffer.from(text);
  })();
  return backend.put(at, { chunks, properties: () => properties }, condition);
}

export async function readObject(backend: ObjectBackend, at: ObjectAddress): Promise<string | undefined> {
  const object = await backend.open(at);
  if (object === undefined) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of object.read()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

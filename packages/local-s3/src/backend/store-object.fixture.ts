import { createHash } from 'node:crypto';

import type { ObjectAddress, ObjectBackend, ObjectCommitOutcome, ObjectCondition } from './object-backend.ts';

/** Stores a text without the HTTP around it. */
export async function storeObject(
  backend: ObjectBackend,
  at: ObjectAddress,
  text: string | Buffer,
  condition: ObjectCondition = { kind: 'always' },
): Promise<ObjectCommitOutcome> {
  const staged = await backend.stage(at);
  try {
    await staged.write(Buffer.from(text));
    return await staged.commit(
      {
        etag: createHash('md5').update(text).digest('hex'),
        contentType: 'text/plain',
        headers: {},
        metadata: { by: 'test' },
      },
      condition,
    );
  } finally {
    await staged.discard();
  }
}

export async function readObject(backend: ObjectBackend, at: ObjectAddress): Promise<string | undefined> {
  const object = await backend.open(at);
  if (object === undefined) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of object.read()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

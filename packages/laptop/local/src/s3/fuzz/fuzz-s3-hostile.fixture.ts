import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MemoryObjectBackend } from '../backend/memory-object-backend.ts';
import { observedBackend } from '../backend/observed-backend.ts';
import { startTestEndpoint } from '../s3-endpoint.fixture.ts';
import type { FuzzTarget } from '@art/tooling/fuzz';
import { hostileRequest, sendBytes } from '@art/tooling/hostile-request';

/** Requests that are almost right: every one gets a typed answer, and none that is refused changes anything. */
export const s3Hostile: FuzzTarget = {
  name: 'S3 endpoint, hostile requests',
  share: 0.2,
  run: async (options) => {
    let changes = 0;
    const backend = observedBackend(new MemoryObjectBackend(), {
      onWrite: ({ outcome }) => void (changes += outcome === 'done' ? 1 : 0),
      onDelete: ({ outcome }) => void (changes += outcome === 'done' ? 1 : 0),
    });
    const endpoint = await startTestEndpoint({ backend });
    try {
      const paths = [
        'bucket/key',
        'bucket/a/',
        'bucket/key?',
        'bucket?list-type=2&',
        'bucket?delete&',
        'bucket',
        'No/',
      ];
      await fc.assert(
        fc.asyncProperty(hostileRequest(paths), async (bytes) => {
          const before = changes;
          const reply = await sendBytes(endpoint.port, bytes);
          if (reply === undefined) return;
          const { status, body } = reply;
          assert(status >= 200 && status < 600 && status !== 500, `HTTP ${status}: ${body}`);
          // Bytes behind a request are another one, whose refusal by Node can come before the answer to the first.
          const isOurs = reply.headers['x-amz-request-id'] !== undefined;
          if (isOurs && status >= 300) assert.equal(changes, before, `HTTP ${status} changed something`);
          const hasBody = isOurs && status >= 400 && !bytes.toString('latin1').startsWith('HEAD');
          if (hasBody) assert.match(body, /^<\?xml [^>]*>\n<Error><Code>\w+<\/Code><Message>/);
        }),
        options,
      );
    } finally {
      await endpoint.close();
    }
  },
};

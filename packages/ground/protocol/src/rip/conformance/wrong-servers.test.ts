import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { ripChecks, whyRipSkipped } from './index.ts';

/** The ids of the checks that a server passes. */
async function passed(listener: RequestListener): Promise<string[]> {
  const http = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void http.close());
  await once(http, 'listening');
  const server = { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` };
  const verdicts = await Promise.all(
    ripChecks
      .filter((check) => whyRipSkipped(check, server) === undefined)
      .map(
        async (check) =>
          [
            check.id,
            await Promise.race([
              check.run(server).then(
                () => true,
                () => false,
              ),
              tooLong(),
            ]),
          ] as const,
      ),
  );
  return verdicts.filter(([, holds]) => holds).map(([id]) => id);
}

async function tooLong(): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), 3_000).unref();
  });
}

it('no check passes on a server that knows nothing of the protocol', async () => {
  expect(await passed((_request, reply) => void reply.end('{"status":"processing"}'))).toEqual([]);
});

it('no check passes on a server that refuses everything, since nothing shows that it would run anything', async () => {
  const ids = await passed((_request, reply) => void reply.writeHead(400).end('{"error":"no"}'));
  expect(ids).toEqual([]);
});

it('skips what cannot be tried, for a stated reason', () => {
  const reasons = ripChecks.map((check) => whyRipSkipped(check, { url: 'http://127.0.0.1:1' }));
  expect(new Set(reasons)).toEqual(
    new Set([undefined, 'the server has no restart', 'the server has no stateDir']),
  );
});

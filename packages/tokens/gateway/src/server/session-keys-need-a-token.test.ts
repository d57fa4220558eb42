import { expect, it } from 'vitest';
import { startGateway } from './start-gateway.ts';

const quiet = { port: 0, logLevel: 'silent' } as const;

it.each(['0.0.0.0', '::'])('refuses session keys without an admin token at %s', async (host) => {
  await expect(startGateway({ ...quiet, host, auth: { sessionKeys: true } })).rejects.toMatchObject({
    code: 'ART_INVALID_OPTION',
    message: expect.stringMatching(/auth\.adminToken.*POST \/sessions/) as string,
  });
});

it.each([
  { host: '127.0.0.1', auth: { sessionKeys: true } },
  { host: '0.0.0.0', auth: { sessionKeys: true, adminToken: 'secret' } },
  { host: '0.0.0.0' },
])('takes %j', async (options) => {
  await using gateway = await startGateway({ ...quiet, ...options });
  expect(gateway.port).toBeGreaterThan(0);
});

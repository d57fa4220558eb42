import { hostname } from 'node:os';
import { expect, it, vi } from 'vitest';
import { processIdentity, processState } from './process-identity.ts';

vi.mock('node:os', async (original) => ({
  ...(await original<object>()),
  hostname: vi.fn<() => string>(() => 'laptop.office'),
}));

it('knows a process under another host name, as networks give laptops theirs', async () => {
  const identity = await processIdentity();
  expect(identity.host).toBe('laptop.office');
  vi.mocked(hostname).mockReturnValue('laptop.home');
  expect(await processState(identity)).toBe('alive');
  expect(await processState({ ...identity, startedAt: 'at another time' })).toBe('dead');
  expect(await processState({ ...identity, machine: 'elsewhere' })).toBe('unknown');
});

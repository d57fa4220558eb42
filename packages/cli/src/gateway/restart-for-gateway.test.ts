import { expect, it, vi } from 'vitest';
import { restartForGateway, type RestartableProcess } from './restart-for-gateway.ts';

function program(parts: Partial<RestartableProcess> = {}) {
  const execve = vi.fn<NonNullable<RestartableProcess['execve']>>();
  const given: RestartableProcess = {
    argv: ['/bin/node', '/bin/art', 'gateway', '--port', '0'],
    connected: false,
    env: { HOME: '/root' },
    execArgv: ['--conditions=x'],
    execPath: '/bin/node',
    execve,
    ...parts,
  };
  restartForGateway(given);
  return execve;
}

it('starts the same command with a small young generation', () => {
  expect(program()).toHaveBeenCalledExactlyOnceWith(
    '/bin/node',
    ['/bin/node', '--conditions=x', '--max-semi-space-size=16', '/bin/art', 'gateway', '--port', '0'],
    { HOME: '/root' },
  );
});

it.each<[string, Partial<RestartableProcess>]>([
  ['it has been started so', { execArgv: ['--max-semi-space-size=16'] }],
  ['the operator has set another size', { env: { NODE_OPTIONS: '--max-semi-space-size=64' } }],
  ['a parent talks to it', { connected: true }],
])('goes on as it is where %s', (_name, parts) => {
  expect(program(parts)).not.toHaveBeenCalled();
});

it('goes on as it is where Node cannot do it', () => {
  expect(() => program({ execve: undefined })).not.toThrow();
});

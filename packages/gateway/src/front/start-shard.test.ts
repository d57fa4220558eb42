import { once } from 'node:events';
import { expect, it } from 'vitest';
import { forkShard } from './start-shard.ts';

it('starts a gateway process with a small young generation', async () => {
  const child = forkShard();
  const exited = once(child, 'exit');
  try {
    expect(child.spawnargs).toContain('--max-semi-space-size=16');
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
});

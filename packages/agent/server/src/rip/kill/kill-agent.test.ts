import { expect, it } from 'vitest';
import { killAgent } from './kill-agent.fixture.ts';

it('a killed agent never tells a wrong state afterwards, and never runs an invocation twice', async () => {
  const tally = await killAgent(4, Math.random);
  expect(tally.completed + tally.interrupted + tally.not_found).toBe(48);
});

import type { JsonObject } from '@art/ground';
import { readConversation } from '@art/trajectories';
import { expect, it } from 'vitest';
import { checkHealth } from '../report/check-health.ts';
import { plantedRollout } from '../run/observed-rollout.fixture.ts';

const calling = (name: string): JsonObject => ({
  role: 'assistant',
  content: null,
  // The id begins anew with each turn, as some engines have it.
  tool_calls: [{ id: 'call_0', type: 'function', function: { name, arguments: '{}' } }],
});
const result = (content: string): JsonObject => ({ role: 'tool', tool_call_id: 'call_0', content });

it('matches a result with the call of its own turn', async () => {
  const rollouts = Array.from({ length: 8 }, (_, at) => {
    const planted = plantedRollout(at, 0);
    const [call] = planted.conversation!.calls;
    const messages = [
      { role: 'user', content: 'Go.' },
      calling('broken'),
      result('Error: no key'),
      calling('fine'),
      result(`${at}`),
      { role: 'assistant', content: 'Done.' },
    ];
    const calls = [1, 3, 5].map((answer) => ({ ...call!, prompt: [0], answer }));
    return { ...planted, conversation: { ...readConversation([], []), messages, calls } };
  });
  const { checks } = await checkHealth(rollouts);
  const found = checks.find(({ check }) => check === 'tool_always_fails')!;
  expect(found).toMatchObject({ state: 'finding', level: 'error' });
  expect(JSON.stringify(found)).toContain('broken, 8 of 8');
  expect(JSON.stringify(found)).not.toContain('fine,');
});

import { expect, it } from 'vitest';
import type { AgentOptions } from './agent-options.ts';
import { goneOnWith, keptAgentOptions, notedOptions } from './kept-options.ts';

it('a run that continues sets what it set before, but for what may be secret', () => {
  const given = {
    agent: ['agent.ts'],
    set: { temperature: 0.7, prompts: { system: 'x' }, api_key: 'sk' },
    env: { TOKEN: 'x' },
    envFile: '.env',
  } as unknown as AgentOptions;
  const noted = notedOptions(given, keptAgentOptions);
  const set = { temperature: 0.7, prompts: { system: 'x' } };
  expect(noted).toEqual({ agent: ['agent.ts'], set, envFile: '.env' });
  const bare = { agent: [] } as unknown as AgentOptions;
  expect(goneOnWith(bare, noted)).toMatchObject({ agent: ['agent.ts'], set, envFile: '.env' });
});

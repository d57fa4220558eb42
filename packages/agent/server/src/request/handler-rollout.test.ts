import { parseRolloutConfig } from '@art/protocol';
import { expect, it } from 'vitest';
import { handlerRollout } from './handler-rollout.ts';

it('labels the calls of an agent, and can still be cloned and written', () => {
  const config = parseRolloutConfig({ _rollout: { base_url: 'http://gateway', model_id: 'm' } })!;
  const rollout = handlerRollout(config);
  const { label } = rollout;
  expect([rollout.label('critic'), label('critic')]).toEqual([
    { 'x-art-label': 'critic' },
    { 'x-art-label': 'critic' },
  ]);
  expect(() => rollout.label('no label')).toThrow('1 to 64 letters');
  expect([structuredClone(rollout), JSON.parse(JSON.stringify(rollout))]).toEqual([
    config,
    JSON.parse(JSON.stringify(config)),
  ]);
});

import { expect, it } from 'vitest';
import { similarKey } from './similar-key.ts';

const known = ['port', 'host', 'workers', 'health_check_interval', 'store'];

it.each([
  ['wokers', 'workers'],
  ['Workers', 'workers'],
  ['worker', 'workers'],
  ['health-check-interval', 'health_check_interval'],
  ['healthCheckIntervall', 'health_check_interval'],
  ['prot', undefined],
  ['pot', 'port'],
  ['provider', undefined],
  ['stop', undefined],
  ['inbound_auth_token', undefined],
  ['', undefined],
])('takes %j for %j', (key, meant) => {
  expect(similarKey(key, known)).toBe(meant);
});

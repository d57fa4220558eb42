import { expect, it } from 'vitest';
import { similarName } from './similar-name.ts';

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
  expect(similarName(key, known)).toBe(meant);
});

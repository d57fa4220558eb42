import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hasShellCredentials } from './shell-credentials.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'home-'));
  mkdirSync(join(home, '.aws'));
});
afterEach(() => rmSync(home, { recursive: true }));

const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };

it.each<[what: string, has: boolean, env: NodeJS.ProcessEnv, config?: string, credentials?: string]>([
  ['an empty folder', false, {}],
  ['a region alone', false, {}, '[default]\nregion = eu-west-1\n'],
  ['keys', true, keys],
  ['half a pair', false, { AWS_ACCESS_KEY_ID: 'a' }],
  ['empty keys', false, { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' }],
  ['keys beside a profile that is not there', false, { ...keys, AWS_PROFILE: 'gone' }],
  ['a profile that is not there', false, { AWS_PROFILE: 'gone' }, '[profile work]\nrole_arn = x\n'],
  ['named profiles, and no default', false, {}, '[profile work]\nsso_session = x\n'],
  ['the named profile', true, { AWS_PROFILE: 'work' }, '[profile work]\nsso_session = x\n'],
  ['a quoted profile', true, { AWS_PROFILE: 'my work' }, '[profile "my work"]\ncredential_process = x\n'],
  [
    'the default of the credentials',
    true,
    {},
    '',
    '[default]\naws_access_key_id=a\naws_secret_access_key=b\n',
  ],
  ['another section of the credentials', false, {}, '', '[other]\naws_access_key_id=a\n'],
  ['a member without a value', false, {}, '[default]\nrole_arn =\n'],
  ['a role of a container', true, { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://x' }],
])('%s: %j', (_what, has, env, config, credentials) => {
  if (config !== undefined) writeFileSync(join(home, '.aws/config'), config);
  if (credentials !== undefined) writeFileSync(join(home, '.aws/credentials'), credentials);
  expect(hasShellCredentials({ HOME: home, ...env })).toBe(has);
});

it('looks into the files that the variables name', () => {
  const file = join(home, 'elsewhere');
  writeFileSync(file, '[default]\naws_access_key_id = a\n');
  expect(hasShellCredentials({ HOME: home, AWS_SHARED_CREDENTIALS_FILE: file })).toBe(true);
  expect(hasShellCredentials({ HOME: home, AWS_CONFIG_FILE: file })).toBe(true);
});

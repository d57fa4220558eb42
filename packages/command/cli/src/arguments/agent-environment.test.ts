import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { adaptShellEnvironment, agentEnvironment } from './agent-environment.ts';

describe('agentEnvironment', () => {
  it('takes the file, and the command line over it', async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, '.env'), '# comment\nMODEL="a b"\nKEY=file\n');
    expect(agentEnvironment({ envFile: '.env', env: { KEY: 'flag' } }, cwd)).toEqual({
      MODEL: 'a b',
      KEY: 'flag',
    });
  });

  it('refuses a file that is not there', () => {
    expect(() => agentEnvironment({ envFile: 'missing.env' }, '/')).toThrow(/`--env-file` .*missing\.env/);
  });
});

describe('adaptShellEnvironment', () => {
  it('keeps the endpoints of the shell from the sessions, and says so', () => {
    const env = { AWS_ENDPOINT_URL: 'http://127.0.0.1:1', AWS_ACCESS_KEY_ID: 'real', PATH: '/bin' };
    const notices = adaptShellEnvironment(env, {});
    expect(env).toEqual({ AWS_ACCESS_KEY_ID: 'real', PATH: '/bin' });
    expect(notices).toEqual([expect.stringContaining('AWS_ENDPOINT_URL=http://127.0.0.1:1 of this shell')]);
  });

  it('warns of results that would go elsewhere', () => {
    const notices = adaptShellEnvironment(
      { ART_RESULT_STORE: 'redis://user:secret@host/0' },
      { AWS_ENDPOINT_URL_S3: 'http://minio' },
    );
    expect(notices).toEqual([
      expect.stringContaining('AWS_ENDPOINT_URL_S3=http://minio'),
      expect.stringContaining('ART_RESULT_STORE=redis://[redacted]@host/0:'),
    ]);
    expect(adaptShellEnvironment({ PATH: '/bin' }, {})).toEqual([]);
  });
});

import { expect, it } from 'vitest';
import { checkedAgentEnvironment } from './agent-environment.ts';

const around = {
  s3Url: 'http://127.0.0.1:1',
  users: { baseUrl: 'http://127.0.0.1:2/v1', url: 'http://127.0.0.1:2' },
  secret: 'secret-1',
};

it('leads S3 alone to the doctor, and gives no rights of this user away', () => {
  const given = {
    AWS_PROFILE: 'mine',
    AWS_SESSION_TOKEN: 'mine',
    AWS_ACCESS_KEY_ID: 'mine',
    AWS_REGION: 'eu-west-1',
  };
  const env = checkedAgentEnvironment(given, around);
  expect(Object.values(env)).not.toContain('mine');
  expect(env).toMatchObject({ AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1', AWS_REGION: 'eu-west-1' });
  expect(env).not.toHaveProperty('AWS_ENDPOINT_URL');
});

it('plays the model of users where there is no key for it', () => {
  expect(checkedAgentEnvironment({ OPENAI_API_KEY: '' }, around)).toMatchObject({
    OPENAI_API_KEY: 'sk-secret-1',
    OPENAI_BASE_URL: 'http://127.0.0.1:2/v1',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:2',
  });
  const own = { OPENAI_API_KEY: 'sk-mine', ANTHROPIC_AUTH_TOKEN: 'mine' };
  const env = checkedAgentEnvironment(own, around);
  expect(env).toMatchObject(own);
  expect(env).not.toHaveProperty('OPENAI_BASE_URL');
  expect(env).not.toHaveProperty('ANTHROPIC_BASE_URL');
});

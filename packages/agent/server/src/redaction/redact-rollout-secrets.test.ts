import { describe, expect, it } from 'vitest';
import { copyJson, stringifyJson } from '@art/ground';
import { redactRolloutSecrets, secretsInHeaders } from './redact-rollout-secrets.ts';
import { secretScrubber } from './secret-scrubber.ts';

const target = { exp_id: 'e', input_id: 'i', s3_bucket: 'b' };

/** As it is stored: the configs redacted, and their secrets taken out of the rest. */
function stored(payload: Record<string, unknown>): { payload: unknown; secrets: string[] } {
  const redacted = redactRolloutSecrets(payload);
  const { mapDocumentText: mapText } = secretScrubber(redacted.secrets);
  const copy = copyJson(redacted.payload, { mapText, path: ['payload'] });
  return { payload: JSON.parse(stringifyJson(copy)), secrets: redacted.secrets };
}

function rollout(members: Record<string, unknown>): { config: unknown; secrets: string[] } {
  const { payload, secrets } = redactRolloutSecrets({ prompt: 'hi', _rollout: { ...target, ...members } });
  const { exp_id, input_id, s3_bucket, ...config } = payload['_rollout'] as Record<string, unknown>;
  expect({ exp_id, input_id, s3_bucket }).toEqual(target);
  expect(payload['prompt']).toBe('hi');
  return { config, secrets };
}

describe('redactRolloutSecrets', () => {
  it.each([
    'api_key',
    'apiKey',
    'OPENAI_API_KEY',
    'x-api-key',
    'apikey',
    'hf_token',
    'accessToken',
    'secret',
    'aws_secret_access_key',
    'AWSSecretAccessKey',
    'clientSecret',
    'db_password',
    'passwd',
    'Authorization',
    'proxy-authorization',
    'auth',
    'cookie',
    'Set-Cookie',
    'credentials',
    'private_key',
    'signingKey',
    'session_token',
    // As Node writes the names of headers.
    'WorkloadAccessToken',
    'workloadaccesstoken',
    'x-amzn-oidc-accesstoken',
    'dbpassword',
    'mysecretkey',
    'idtoken',
  ])('replaces the text under %s', (name) => {
    expect(rollout({ [name]: 'sk-123456' })).toEqual({
      config: { [name]: '[redacted]' },
      secrets: ['sk-123456'],
    });
  });

  it.each([
    ['max_tokens', 512],
    ['max_tokens', '512'],
    ['stop_token_ids', [1, 2]],
    ['eos_token', '<|im_end|>'],
    ['stop_tokens', ['</answer>']],
    ['tokenizer', 'Qwen/Qwen3'],
    ['token_type', 'jwt-thing'],
    ['authors', 'somebody'],
    ['key', 'e/i/s.json'],
    ['secretary', 'somebody'],
    ['maxtokens', '512'],
    ['stoptoken', '</s>'],
    ['passwordless', 'yes'],
    ['monkey', 'somebody'],
    ['api_key', ''],
    ['api_key', null],
    ['api_keys', [1, true]],
  ])('leaves %s: %j alone', (name, value) => {
    expect(rollout({ [name]: value })).toEqual({ config: { [name]: value }, secrets: [] });
  });

  it.each([
    ['https://host/v1?token="abc def"&x=1', 'https://host/v1?token=[redacted]&x=1', 'abc def'],
    ['curl -H \'authorization: bearer "abc def"\'', "curl -H 'authorization: bearer [redacted]'", 'abc def'],
    ['OPENAI_API_KEY="abc def" run', 'OPENAI_API_KEY=[redacted] run', 'abc def'],
    ["--env WANDB_API_KEY='abc-def'", '--env WANDB_API_KEY=[redacted]', 'abc-def'],
    ['run with API_KEY=abc-def now', 'run with API_KEY=[redacted] now', 'abc-def'],
  ])('takes a value out whole, in quotes or not: %s', (text, redacted, secret) => {
    const { config, secrets } = rollout({ text });
    expect(config).toEqual({ text: redacted });
    expect(secrets).toContain(secret);
  });

  it.each([
    ['JSON in a text', 'use {"api_key":"sk-123456","model":"m"}', 'sk-123456'],
    ['JSON in JSON', JSON.stringify({ api_key: 'sk-123456' }).replaceAll('"', '\\"'), 'sk-123456'],
    ['YAML', 'model: m\napi_key: sk-123456\n', 'sk-123456'],
    ['quoted YAML', "password: 'a long one'\n", 'a long one'],
    ['a header in a text', 'x-api-key: sk-123456', 'sk-123456'],
  ])('takes out the member of %s', (_what, text, secret) => {
    const { config, secrets } = rollout({ text });
    expect(secrets).toContain(secret);
    expect(JSON.stringify(config)).not.toContain(secret);
  });

  it.each([
    'token: required',
    'The password: ask your administrator.',
    'max_tokens: 123456789',
    '{"model":"m-123456"}',
    'at 12:30:45 the key: value',
  ])('leaves "%s" alone', (text) => {
    expect(rollout({ text })).toEqual({ config: { text }, secrets: [] });
  });

  // A pattern that looks again and again at the same letters takes minutes for these, and pings fail meanwhile.
  it.each([
    ['capitals before =', `${'A'.repeat(300_000)}=1`],
    ['capitals as a name', 'A'.repeat(300_000)],
    ['letters behind a scheme', `a://${'a'.repeat(300_000)}`],
    ['schemes', 'a://'.repeat(100_000)],
    ['users', 'a://b@'.repeat(50_000)],
    ['bearers', 'bearer "'.repeat(50_000)],
    ['bearers and blanks', `bearer${' '.repeat(300_000)}`],
    ['parameters with an open quote', 'key="'.repeat(60_000)],
    ['members with an open quote', 'key:"'.repeat(60_000)],
    ['names of members', `${'a.'.repeat(150_000)}:`],
    ['colons', ':'.repeat(300_000)],
    ['quotes', '"'.repeat(300_000)],
    ['beginnings of keys', '-----BEGIN '.repeat(30_000)],
    ['ends of keys', `-----BEGIN PRIVATE KEY-----${'-----END '.repeat(30_000)}`],
  ])('goes through 300,000 letters of %s once', (_what, text) => {
    const { config } = rollout({ text, api_key: text, [text.slice(0, 200_000)]: text });
    expect(JSON.stringify(config).length).toBeLessThan(2_000_000);
  });

  it('leaves assignments that are none of secrets', () => {
    const text = 'model=qwen key=3 code=5 eos_token="</s>" x==1';
    expect(rollout({ text })).toEqual({ config: { text }, secrets: [] });
  });

  it('finds what stood in quotes without them', () => {
    expect(rollout({ api_key: '"sk-123456"' }).secrets).toEqual(['sk-123456', '"sk-123456"']);
    expect(rollout({ cookie: "session='sk-123456'" }).secrets).toContain('sk-123456');
  });

  it('replaces every text under the name of a secret, at any depth', () => {
    const { config, secrets } = rollout({
      model: {
        options: [{ credentials: { user: 'user-name', list: ['secret-1', 7], deep: { x: 'secret-2' } } }],
      },
    });
    expect(config).toEqual({
      model: {
        options: [
          { credentials: { user: '[redacted]', list: ['[redacted]', 7], deep: { x: '[redacted]' } } },
        ],
      },
    });
    expect(secrets).toEqual(['user-name', 'secret-1', 'secret-2']);
  });

  it.each(['headers', 'extra_headers', 'defaultHeaders', 'X-Headers'])(
    'replaces everything under %s',
    (name) => {
      const { config, secrets } = rollout({
        [name]: { 'x-tenant': 'tenant-77', authorization: 'Bearer sk-abcdef' },
      });
      expect(config).toEqual({ [name]: { 'x-tenant': '[redacted]', authorization: '[redacted]' } });
      expect(secrets).toEqual(expect.arrayContaining(['tenant-77', 'Bearer sk-abcdef', 'sk-abcdef']));
    },
  );

  it.each([
    ['https://user:pa%20ss-word@host/v1', 'https://[redacted]@host/v1', 'pa ss-word'],
    ['redis://:hunter22@host:6379/0', 'redis://[redacted]@host:6379/0', 'hunter22'],
    ['https://ghp_0123456789abcdef@github.com/a', 'https://[redacted]@github.com/a', 'ghp_0123456789abcdef'],
    ['https://ann:b@cdef@host/x@y', 'https://[redacted]@host/x@y', 'b@cdef'],
    ['https://host/v1?api_key=sk-12345&n=1', 'https://host/v1?api_key=[redacted]&n=1', 'sk-12345'],
    ['https://host/?n=1&key=AIza%2F1234#x', 'https://host/?n=1&key=[redacted]#x', 'AIza/1234'],
    ['https://b.s3/k?X-Amz-Signature=0123abcd', 'https://b.s3/k?X-Amz-Signature=[redacted]', '0123abcd'],
    ['https://host/#access_token=abcdefg', 'https://host/#access_token=[redacted]', 'abcdefg'],
    ['call it with Bearer abc.def-ghi now', 'call it with Bearer [redacted] now', 'abc.def-ghi'],
  ])('takes the secret out of %s', (text, redacted, secret) => {
    const { config, secrets } = rollout({ base_url: text });
    expect(config).toEqual({ base_url: redacted });
    expect(secrets).toContain(secret);
  });

  it('takes private keys out of any text', () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${'A1b2'.repeat(16)}\n-----END RSA PRIVATE KEY-----`;
    const { config, secrets } = rollout({ note: `see ${key} there` });
    expect(config).toEqual({ note: 'see [redacted] there' });
    expect(secrets).toContain('A1b2'.repeat(16));
  });

  it.each(['https://host/v1?model=m', 'mailto:me@example.com', 'a@b', 'https://host/@user'])(
    'leaves %s alone',
    (text) => {
      expect(rollout({ base_url: text })).toEqual({ config: { base_url: text }, secrets: [] });
    },
  );

  it('replaces the same secrets in the rest of the payload, names included, and changes nothing given', () => {
    const given = {
      prompt: 'the key is sk-123456',
      'sk-123456': ['sk-123456', 1],
      other: { fine: true },
      _rollout: { ...target, api_key: 'sk-123456', note: 'sk-123456' },
    };
    const before = structuredClone(given);
    const { payload } = stored(given);
    expect(payload).toEqual({
      prompt: 'the key is [redacted]',
      '[redacted]': ['[redacted]', 1],
      other: { fine: true },
      _rollout: { ...target, api_key: '[redacted]', note: '[redacted]' },
    });
    expect(given).toEqual(before);
  });

  it('never changes the address of the rollout', () => {
    const { payload } = stored({
      _rollout: { exp_id: 'secret-1', input_id: 'secret-1', s3_bucket: 'secret-1', password: 'secret-1' },
    });
    expect((payload as Record<string, unknown>)['_rollout']).toEqual({
      exp_id: 'secret-1',
      input_id: 'secret-1',
      s3_bucket: 'secret-1',
      password: '[redacted]',
    });
  });

  it('does not look for short texts and common words elsewhere', () => {
    expect(rollout({ api_key: 'EMPTY', auth: 'bearer' })).toEqual({
      config: { api_key: '[redacted]', auth: '[redacted]' },
      secrets: [],
    });
  });

  it('takes further names, and names that are no secrets', () => {
    const payload = { _rollout: { tenantName: 'tenant-1', wandb_run_id: 'run-12345', api_key: 'public' } };
    expect(redactRolloutSecrets(payload, { names: ['tenant', 'wandb-run'], keep: ['apiKey'] })).toEqual({
      payload: { _rollout: { tenantName: '[redacted]', wandb_run_id: '[redacted]', api_key: 'public' } },
      secrets: ['tenant-1', 'run-12345'],
    });
  });

  it.each([[{ names: 'x' }], [{ names: [''] }], [{ names: ['-'] }], [{ keep: [1] }]])(
    'refuses %j',
    (options) => {
      expect(() => redactRolloutSecrets({}, options as never)).toThrow(
        expect.objectContaining({ code: 'ART_INVALID_OPTION' }),
      );
    },
  );

  it('leaves payloads without a config as they are', () => {
    for (const payload of [{ api_key: 'sk-123456' }, { _rollout: null }, { _rollout: 'x' }]) {
      expect(redactRolloutSecrets(payload)).toEqual({ payload, secrets: [] });
    }
  });

  it('takes the secrets of `_config` for those of `_rollout`', () => {
    const payload = {
      prompt: 'sk-123456',
      _config: { api_key: 'sk-123456', model_id: 'm' },
      _rollout: { ...target },
    };
    expect(stored(payload)).toEqual({
      payload: { prompt: '[redacted]', _config: { api_key: '[redacted]', model_id: 'm' }, _rollout: target },
      secrets: ['sk-123456'],
    });
    expect(stored({ _config: { token: 'sk-123456' } }).payload).toEqual({
      _config: { token: '[redacted]' },
    });
  });

  it('keeps "__proto__" a name like any other', () => {
    const payload = JSON.parse('{"__proto__":{"a":"sk-123456"},"_rollout":{"token":"sk-123456"}}') as object;
    const redacted = stored(payload as Record<string, unknown>).payload;
    expect(JSON.stringify(redacted)).toBe(
      '{"__proto__":{"a":"[redacted]"},"_rollout":{"token":"[redacted]"}}',
    );
    expect(Object.getPrototypeOf(redacted)).toBe(Object.prototype);
  });
});

it('finds the secrets in headers', () => {
  const headers = { authorization: 'Basic dXNlcjpodW50ZXIyMg==', host: 'localhost', accept: undefined };
  expect(secretsInHeaders(headers)).toEqual(
    expect.arrayContaining(['Basic dXNlcjpodW50ZXIyMg==', 'dXNlcjpodW50ZXIyMg==', 'hunter22']),
  );
  expect(secretsInHeaders({ host: 'localhost' })).toEqual([]);
});

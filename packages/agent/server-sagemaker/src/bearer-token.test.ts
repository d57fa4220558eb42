import { expect, it } from 'vitest';
import { bearerToken } from './bearer-token.ts';

const vector = {
  credentials: { accessKeyId: 'AKIAFAKEEXAMPLE', secretAccessKey: 'fakesecret', sessionToken: 'faketoken' },
  region: 'us-west-2',
  signingDate: new Date('2026-11-22T12:43:17Z'),
};

it('is the text that sagemaker-core 2.27.0 makes', async () => {
  const token = await bearerToken(vector);
  expect(token.startsWith('sagemaker-api-key-')).toBe(true);
  expect(Buffer.from(token.slice('sagemaker-api-key-'.length), 'base64').toString()).toBe(
    'sagemaker.amazonaws.com/?Action=CallWithBearerToken&X-Amz-Algorithm=AWS4-HMAC-SHA256' +
      '&X-Amz-Credential=AKIAFAKEEXAMPLE%2F20261122%2Fus-west-2%2Fsagemaker%2Faws4_request' +
      '&X-Amz-Date=20261122T124317Z&X-Amz-Expires=43200&X-Amz-SignedHeaders=host' +
      '&X-Amz-Security-Token=faketoken' +
      '&X-Amz-Signature=ecd8d24bf78f3ffbfb3e2aa95a0eb78a1f6f12418ce114b9552a168eb5ea6609&Version=1',
  );
});

it('leaves out the session token of keys that last', async () => {
  const { accessKeyId, secretAccessKey } = vector.credentials;
  const token = await bearerToken({ ...vector, credentials: { accessKeyId, secretAccessKey } });
  const url = Buffer.from(token.slice('sagemaker-api-key-'.length), 'base64').toString();
  expect(url).not.toContain('Security-Token');
  expect(url).not.toContain('ecd8d24b');
});

import { expect, it } from 'vitest';
import { loadSqs } from './load-sqs.ts';

it('names the package that is missing, and how to install it', () => {
  const cause = Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' });
  const load = (): never => {
    throw cause;
  };
  expect(() => loadSqs(load)).toThrowError(
    expect.objectContaining({
      code: 'ART_STORE_NO_SQS_CLIENT',
      message: expect.stringContaining('npm install @aws-sdk/client-sqs') as string,
      cause,
    }) as Error,
  );
});

it('loads the client that is installed', () => {
  expect(loadSqs().SQSClient).toBeTypeOf('function');
});

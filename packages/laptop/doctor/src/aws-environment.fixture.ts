import { vi } from 'vitest';

/** For `beforeEach`: the AWS variables of a program with keys of its own, and nothing of who runs the tests. */
export function stubAwsEnvironment(): () => void {
  for (const name of ['AWS_PROFILE', 'AWS_ENDPOINT_URL_S3', 'AWS_DEFAULT_REGION'])
    vi.stubEnv(name, undefined);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_REGION', 'us-west-2');
  return () => vi.unstubAllEnvs();
}

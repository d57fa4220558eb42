import { vi } from 'vitest';

/** All that an AWS SDK needs to find the local AWS. */
export function awsEnvironment(endpoint: string): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_DEFAULT_REGION: 'us-west-2',
  };
}

/** Takes the developer's own AWS settings out of this process; `vi.unstubAllEnvs()` brings them back. */
export function hideAwsEnvironment(): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) vi.stubEnv(name, undefined);
  // Profiles in the home folder would fill in what the environment leaves open.
  vi.stubEnv('AWS_CONFIG_FILE', '/dev/null');
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/dev/null');
}

/** Points this process's AWS SDKs at the local AWS, by environment variables and nothing else. */
export function stubAwsEnvironment(endpoint: string): void {
  hideAwsEnvironment();
  for (const [name, value] of Object.entries(awsEnvironment(endpoint))) vi.stubEnv(name, value);
  vi.stubEnv('AWS_REGION', 'us-west-2');
}

import { devNull } from 'node:os';

/** This process's environment with nothing of AWS but the load model's endpoint. */
export function awsEnvironment(endpoint: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'));
  return {
    ...Object.fromEntries(kept),
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    AWS_REGION: 'us-west-2',
    AWS_DEFAULT_REGION: 'us-west-2',
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
  };
}

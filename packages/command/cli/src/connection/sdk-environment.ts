/** Keys that the local AWS takes, as it takes any. */
export const localCredentials = { accessKeyId: 'local', secretAccessKey: 'local' } as const;

/**
 * Variables that an unmodified AWS SDK needs to reach the local AWS: where it is, something to sign with, and a region, under both of its
 * names because boto3 knows only the second and the JavaScript SDK only the first.
 */
export function sdkEnvironment(endpoint: string, region: string): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
  };
}

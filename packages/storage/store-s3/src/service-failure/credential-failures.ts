/**
 * Names of failures that say that nobody could sign in: codes of
 * https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html, and the SDK's own for what never left
 * this machine.
 */
export const credentialFailures = new Set([
  'CredentialsProviderError',
  'TokenProviderError',
  'ExpiredToken',
  'ExpiredTokenException',
  'TokenRefreshRequired',
  'InvalidToken',
  'InvalidAccessKeyId',
  'UnrecognizedClientException',
]);

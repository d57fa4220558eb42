import { ArtError, joinSentences } from '@art/ground';
import { AwsFailure } from './aws-failure.ts';

const advice: Record<string, string> = {
  AccessDeniedException:
    'Give the caller the policy AmazonSageMakerTrainingSessionAccess, and the role of the session AmazonSageMakerTrainingSessionFullAccess.',
  ResourceLimitExceeded: 'Stop a session that still runs ("art train list"), or ask AWS for a higher quota.',
  ExpiredTokenException: 'Sign in again: the keys of the environment have expired.',
  UnrecognizedClientException: 'Check the keys of the environment, and that they are for this partition.',
  InvalidSignatureException: "Check this machine's clock and the secret key.",
};

/**
 * Error of ours for a call that failed.
 * @param doing what was to be done, as the beginning of a sentence: `Creating the training session x`
 */
export function toArtError(doing: string, error: unknown): unknown {
  if (!(error instanceof AwsFailure)) return error;
  const { kind, status, message, isTransient } = error;
  const where = status === 0 ? '' : ` (${kind === '' ? `status ${status}` : kind})`;
  return new ArtError({
    code: isTransient ? 'ART_SAGEMAKER_UNREACHABLE' : 'ART_SAGEMAKER_REFUSED',
    message: joinSentences(`${doing} failed${where}: ${message}`, advice[kind] ?? ''),
    cause: error,
  });
}

export const errorCodes = {
  ART_SAGEMAKER_REFUSED:
    'SageMaker refused a call: the message has its own words. Rights, quotas and names that do not exist are the usual reasons.',
  ART_SAGEMAKER_UNREACHABLE:
    'SageMaker could not be reached, or answered with errors of its own, for as long as it was tried. The training session may still run: "art train list" knows it.',
  ART_SAGEMAKER_SESSION_ENDED:
    'The training session has ended, or never became ready. The message says in which state it is.',
  ART_SAGEMAKER_OPERATION_FAILED:
    'An operation of the training session failed. The message has the words of the service. Operations behind it were not run.',
  ART_SAGEMAKER_UNKNOWN_ANSWER:
    'SageMaker answered in a shape that is not known here. A newer version of this package may know it.',
} as const;

export const errorCodes = {
  ART_STORE_NO_QUEUE:
    'The queue that should bring notifications of new results does not exist. Create it, or check its URL.',
  ART_STORE_NO_SQS_CLIENT:
    'Results announced by S3 need the package @aws-sdk/client-sqs, which is not installed. The message has the command.',
} as const;

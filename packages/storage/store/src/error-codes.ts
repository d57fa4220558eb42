export const errorCodes = {
  ART_STORE_FAILED:
    'A result store could not do what it was asked. The message names operation, bucket and key.',
  ART_INVALID_RESULT_BODY: 'What is to be stored is not well-formed text.',
  ART_STORE_DENIED:
    'The store refused access. Check credentials and permissions; the message names the permission.',
  ART_STORE_NO_BUCKET: 'The bucket does not exist. Create it, or check its name and region.',
  ART_STORE_NO_CREDENTIALS: 'The store found no credentials to sign in with, or they have expired.',
  ART_STORE_BUSY: 'The store asked to slow down, or writers collided, longer than was worth waiting for.',
} as const;

export const errorCodes = {
  ART_SESSION_START_FAILED:
    'A local session process did not become healthy. The message has the end of its log.',
} as const;

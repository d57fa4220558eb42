/** Meaning of each error code of this package, and the remedy. The page of all codes is made of these. */
export const errorCodes = {
  ART_SESSION_START_FAILED:
    'A local session process did not become healthy. The message has the end of its log.',
} as const;

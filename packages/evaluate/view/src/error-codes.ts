/** Meaning of each error code of this package, and the remedy. The page of all codes is made of these. */
export const errorCodes = {
  ART_VIEW_EXPORT_FAILED: 'A report could not be written. Make room, or name another file.',
} as const;

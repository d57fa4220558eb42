/** What each error code of this package means, and what to do about it. The page of all codes is made of these. */
export const errorCodes = {
  ART_VIEW_EXPORT_FAILED: 'A report could not be written. Make room, or name another file.',
} as const;

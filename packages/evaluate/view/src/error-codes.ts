export const errorCodes = {
  ART_VIEW_EXPORT_FAILED: 'A report could not be written. Make room, or name another file.',
} as const;

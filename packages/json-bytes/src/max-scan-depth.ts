/** How deep arrays and objects may be nested. */
export const maxScanDepth = 512;

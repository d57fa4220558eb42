/** `12,345`. */
export function formatCount(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

export function formatSeconds(ms: number): string {
  return (ms / 1_000).toFixed(2);
}

export function formatMebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}

/** Texts for numbers, times and names; an en dash where there is nothing. */
const none = '–';

export function formatDuration(ms: number | null | undefined): string {
  if (ms == null || !Number.isFinite(ms)) return none;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1_000).toFixed(2)} s`;
  if (ms < 100_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function formatCount(count: number | null | undefined): string {
  return count == null ? none : count.toLocaleString('en-US');
}

/** A reward, a mean, a difference: three digits, none of them only for show. */
export function formatScore(score: number | null | undefined): string {
  if (score == null || !Number.isFinite(score)) return none;
  if (Number.isInteger(score) && Math.abs(score) < 1e6) return String(score);
  if (Math.abs(score) >= 1_000 || (score !== 0 && Math.abs(score) < 0.001)) return score.toPrecision(3);
  return score.toFixed(3);
}

/** The same on an axis, where zeros at the end only take room. */
export function formatTick(value: number): string {
  return Math.abs(value) >= 0.001 && Math.abs(value) < 1_000
    ? String(Number(value.toFixed(3)))
    : formatScore(value);
}

export function formatDifference(difference: number | null | undefined): string {
  if (difference == null) return none;
  const text = formatScore(Math.abs(difference));
  if (difference === 0) return '0';
  return difference > 0 ? `+${text}` : `−${text}`;
}

export function formatPercent(share: number): string {
  // Some are not none, and not all.
  if (share > 0 && share < 0.001) return '< 0.1 %';
  if (share < 1 && share > 0.999) return '> 99.9 %';
  const isNearEnd = (share > 0 && share < 0.1) || (share < 1 && share > 0.99);
  return `${(share * 100).toFixed(isNearEnd ? 1 : 0)} %`;
}

export function formatTime(atMs: number | null | undefined): string {
  if (atMs == null) return none;
  const date = new Date(atMs);
  const day = `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
  return `${day} ${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}:${twoDigits(date.getSeconds())}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** Distances between the ticks of an axis of time, in milliseconds. */
export const timeSteps: readonly number[] = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5,
  72e5, 144e5, 288e5, 864e5,
];

/** A time since the beginning, as short as its neighbours allow. @param stepMs Distance between two ticks. */
export function formatTimeTick(ms: number, stepMs: number): string {
  if (ms === 0) return '0';
  if (stepMs < 1_000 && ms < 10_000) return `${ms} ms`;
  const seconds = ms / 1_000;
  if (ms < 60_000) return `${Number(seconds.toFixed(1))} s`;
  const minutes = Math.floor(seconds / 60);
  const rest = Math.round(seconds % 60);
  if (minutes < 60) return rest === 0 ? `${minutes} min` : `${minutes}:${String(rest).padStart(2, '0')} min`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

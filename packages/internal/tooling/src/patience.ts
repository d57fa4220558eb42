/** How long a test waits for a condition that comes at once on a quiet machine: vitest's own second is over soon on a busy one. */
export const patienceMs = 60_000;

/** Most sessions at once that a run can be given while it goes on. */
export const highestConcurrency = 10_000;

/** Most sessions at once that a run can be given while it continues. */
export const highestConcurrency = 10_000;

/**
 * The largest share of other tasks that none among `tasks` is compatible with, at 97.5 %: Clopper and Pearson's upper bound for 0 of n
 * (1934). It is what can be said where all tasks agree and their spread says nothing, as the "rule of three" does.
 */
export function unseenShare(tasks: number): number {
  return 1 - 0.025 ** (1 / tasks);
}

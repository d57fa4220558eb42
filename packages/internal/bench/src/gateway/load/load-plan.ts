import type { LoadTask } from './load-task.ts';

/** A task without what `measureLoad` fills in. */
export type LoadPlan = LoadTask extends infer Task
  ? Task extends LoadTask
    ? Omit<Task, 'url' | 'sessionPrefix'>
    : never
  : never;

/** How many sessions a task uses. */
export function sessionsOf(plan: LoadPlan): number {
  switch (plan.kind) {
    case 'calls':
      return plan.calls;
    case 'streams':
      return plan.streams;
    case 'conversations':
      return plan.conversations;
  }
}

import { describeValue, refuseOption } from '@art/protocol';
import type { BudgetSettings } from './paced-runtime-options.ts';
import { RuntimeBudgets } from './runtime-budgets.ts';

/** Budgets in use, and the way to give them back. */
export interface BudgetLease {
  readonly budgets: RuntimeBudgets;
  /** To be called once. The last one frees the budgets. */
  release(): void;
}

// One table per process: quotas hold per account, so two clients that do not know of each other still share one.
const inUse = new Map<string, { budgets: RuntimeBudgets; leases: number }>();

/**
 * The budgets of a key, created by the first who asks. Without a key they are private.
 * @throws ArtError `ART_INVALID_OPTION` when the key is in use with other settings
 */
export function leaseBudgets(sharedKey: string | undefined, settings: BudgetSettings): BudgetLease {
  if (sharedKey === undefined) {
    const budgets = new RuntimeBudgets(settings, '');
    return { budgets, release: () => budgets.close() };
  }
  const entry = inUse.get(sharedKey) ?? { budgets: new RuntimeBudgets(settings, sharedKey), leases: 0 };
  checkAgreement(sharedKey, entry.budgets.settings, settings);
  inUse.set(sharedKey, entry);
  entry.leases += 1;
  return {
    budgets: entry.budgets,
    release: () => {
      entry.leases -= 1;
      if (entry.leases > 0) return;
      inUse.delete(sharedKey);
      entry.budgets.close();
    },
  };
}

function checkAgreement(sharedKey: string, used: BudgetSettings, asked: BudgetSettings): void {
  const pairs: [string, unknown, unknown][] = [
    ['newSessionsPerSecond', used.newSessionsPerSecond, asked.newSessionsPerSecond],
    ['dataPlanePerSecond', used.dataPlanePerSecond, asked.dataPlanePerSecond],
    ['share', used.share, asked.share],
  ];
  for (const [name, usedValue, askedValue] of pairs) {
    if (Object.is(usedValue, askedValue)) continue;
    refuseOption(
      name,
      `the same as for the other clients of \`sharedKey\` "${sharedKey}" in this process, ${describeValue(usedValue)}`,
      askedValue,
      { advice: 'Use the same value, close the others first, or choose another key.' },
    );
  }
}

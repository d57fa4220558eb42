import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { refuseOption } from '@art/ground';
import { countRollouts } from './measure.ts';
import { evaluationsFolder, heldOutPrefix } from './evaluation-names.ts';

/** Rollouts of the comparisons of a search, on held-out tasks. */
export async function heldOutRollouts(folder: string): Promise<number> {
  const names = await readdir(join(folder, evaluationsFolder)).catch(() => [] as string[]);
  const counts = names
    .filter((name) => name.startsWith(heldOutPrefix))
    .map((name) => countRollouts(join(folder, evaluationsFolder, name)));
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/**
 * @param heldOut how many held-out tasks there are
 * @param least rollouts without which no candidate can be found, the comparison aside
 * @throws ArtError `ART_INVALID_OPTION` where the budget is too small for one
 */
export function checkBudget(total: number, heldOut: number, least: number): void {
  if (total >= least + 2 * heldOut) return;
  refuseOption('budget', `at least ${least + 2 * heldOut} rollouts`, total, {
    advice: `Two sets of prompts on the validation tasks and on one minibatch are ${least} rollouts${heldOut === 0 ? '' : `, and on the held-out tasks ${2 * heldOut}`}. Raise the budget, or give fewer tasks.`,
  });
}

/** How many rollouts a search may still have. */
export class RolloutBudget {
  readonly total: number;
  /** Rollouts of iterations that are written down. */
  spent = 0;
  /** Kept back for the comparison at the end, or run for one already. */
  readonly reserved: number;

  private constructor(total: number, reserved: number) {
    this.total = total;
    this.reserved = reserved;
  }

  /** @param heldOut how many held-out tasks there are */
  static async open(folder: string, total: number, heldOut: number): Promise<RolloutBudget> {
    const compared = await heldOutRollouts(folder);
    // A search that continues after its comparison may come to other prompts, which are compared, too.
    return new RolloutBudget(total, Math.max(compared, heldOut) + heldOut);
  }

  /** For the search. */
  get left(): number {
    return this.total - this.reserved - this.spent;
  }
}

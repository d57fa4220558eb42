import { formatCost } from '@art/eval';
import type { TokenPrices } from '@art/train';

/** Plan of a run. */
export interface TrainPlan {
  agent: string;
  /** Name of what makes the steps, for people. */
  steps: string;
  folder: string;
  /** How many tasks there are. */
  tasks: number;
  /** All of them, at most. */
  rollouts: number;
  prices: TokenPrices | undefined;
  budget: number | undefined;
  /** The file that choices came from. */
  config: string | undefined;
  /** All choices, a line each; only of a dry run. */
  choices: readonly string[] | undefined;
}

/** Tokens of a rollout of middling length, for an estimate. */
const rolloutTokens = 1_000;

export function planText({
  agent,
  steps,
  folder,
  tasks,
  rollouts,
  prices,
  budget,
  config,
  choices,
}: TrainPlan): string {
  return [
    `Agent    ${agent}`,
    `Steps    ${steps}`,
    `Tasks    ${tasks}`,
    `Rollouts ${rollouts} at most`,
    `Cost     ${costText(rollouts, prices, budget)}`,
    `Folder   ${folder}`,
    ...(config === undefined ? [] : [`Config   ${config}`]),
    ...(choices === undefined ? [] : ['Choices', ...choices.map((line) => `  ${line}`)]),
    '',
  ].join('\n');
}

function costText(rollouts: number, prices: TokenPrices | undefined, budget: number | undefined): string {
  if (prices === undefined) return 'unknown without --prices';
  const { prompt, sampled, trained } = prices;
  const each = (rolloutTokens * (prompt + sampled + 2 * trained)) / 1_000_000;
  const estimate = `${formatCost(rollouts * each)} if a rollout has ${rolloutTokens} prompt and ${rolloutTokens} sampled tokens`;
  return budget === undefined
    ? `${estimate}; no --budget ends the run`
    : `at most about ${budget}; ${estimate}`;
}

import { randomLcg } from 'd3-random';

const rolloutsPerInput = 8;

/** Input ids as a dataset has them: eight rollouts of each, and no order that a client could use. */
export function datasetInputIds(rollouts: number, seed: number): string[] {
  const random = randomLcg(seed + 0x1d);
  const inputs = Array.from(
    { length: Math.ceil(rollouts / rolloutsPerInput) },
    () => `gsm8k/train/${Math.floor(random() * 2 ** 32).toString(36)}`,
  );
  return Array.from({ length: rollouts }, (_, index) => inputs[Math.floor(index / rolloutsPerInput)]!);
}

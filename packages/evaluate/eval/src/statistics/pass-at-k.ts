/**
 * The unbiased estimate that at least one of `k` samples passes (Chen et al. 2021, arXiv:2107.03374): 1 - C(n-c, k) / C(n, k).
 * @param passed c, how many did @param samples n, how many there are; at least `k`
 */
export function passAtK(passed: number, samples: number, k: number): number {
  if (samples - passed < k) return 1;
  let noneOf = 1;
  for (let at = samples - passed + 1; at <= samples; at += 1) noneOf *= 1 - k / at;
  return 1 - noneOf;
}

/** The unbiased estimate that all of `k` samples pass (tau-bench, arXiv:2406.12045): C(c, k) / C(n, k). */
export function passPowerK(passed: number, samples: number, k: number): number {
  let allOf = 1;
  for (let at = 0; at < k; at += 1) allOf *= (passed - at) / (samples - at);
  return Math.max(0, allOf);
}

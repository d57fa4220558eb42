/** The logarithm of the sum of the exponentials of `count` numbers. */
export function logSumExp(numbers: ArrayLike<number>, from: number, count: number): number {
  let highest = -Infinity;
  for (let at = from; at < from + count; at += 1) if (numbers[at]! > highest) highest = numbers[at]!;
  let sum = 0;
  for (let at = from; at < from + count; at += 1) sum += Math.exp(numbers[at]! - highest);
  return highest + Math.log(sum);
}

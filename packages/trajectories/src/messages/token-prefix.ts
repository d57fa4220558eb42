/** How many tokens two sequences have in common at their heads. */
export function commonPrefixLength(left: ArrayLike<number>, right: ArrayLike<number>): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    if (left[index] !== right[index]) return index;
  }
  return length;
}

/** Whether `sequence` begins with `head` followed by `tail`. */
export function beginsWith(
  sequence: ArrayLike<number>,
  head: ArrayLike<number>,
  tail: ArrayLike<number>,
): boolean {
  if (head.length + tail.length > sequence.length) return false;
  // Prompts of a session have long heads in common; where two differ shows at the end.
  return hasAt(sequence, tail, head.length) && hasAt(sequence, head, 0);
}

function hasAt(sequence: ArrayLike<number>, part: ArrayLike<number>, start: number): boolean {
  for (let index = part.length - 1; index >= 0; index -= 1) {
    if (sequence[start + index] !== part[index]) return false;
  }
  return true;
}

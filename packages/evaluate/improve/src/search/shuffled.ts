/**
 * A list in an order of chance: the shuffle of Fisher and Yates from the end, as Python's `random.shuffle` does it.
 * @param random numbers from 0 up to 1
 */
export function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const order = [...items];
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}

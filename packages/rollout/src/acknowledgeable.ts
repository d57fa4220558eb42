/** Adds `acknowledge` to an item, in a way that leaves it a plain object to whoever clones, prints or compares it. */
export function acknowledgeable<Item extends object>(
  item: Item,
  acknowledge: () => Promise<void>,
): Item & { acknowledge(): Promise<void> } {
  return Object.defineProperty(item, 'acknowledge', { value: acknowledge }) as Item & {
    acknowledge(): Promise<void>;
  };
}

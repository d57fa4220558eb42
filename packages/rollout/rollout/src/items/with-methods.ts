/** Adds methods to an item, in a way that leaves it a plain object to anyone who clones, prints or compares it. */
export function withMethods<Item extends object, Methods extends object>(
  item: Item,
  methods: Methods,
): Item & Methods {
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(item, name, { value });
  return item as Item & Methods;
}

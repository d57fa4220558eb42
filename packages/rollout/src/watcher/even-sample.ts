/** At most so many of the values, evenly chosen, the first one among them. */
export function evenSample<T>(values: readonly T[], most: number): readonly T[] {
  if (values.length <= most) return values;
  return Array.from({ length: most }, (_, place) => values[Math.floor((place * values.length) / most)]!);
}

/**
 * The known name that another one is most likely a misspelling of; undefined for one that is its own name. Upper case, `_` and
 * `-` make no difference.
 * @param mostEdits how many letters may differ @default 2, and fewer in a short name, where every letter makes another one
 */
export function similarName(
  name: string,
  known: readonly string[],
  mostEdits: (candidate: string) => number = ({ length }) => Math.min(2, length / 3),
): string | undefined {
  const plain = plainly(name);
  let best: string | undefined;
  let fewest = plain.length;
  for (const candidate of known) {
    const edits = editsBetween(plain, plainly(candidate));
    if (edits < fewest && edits <= mostEdits(candidate)) [best, fewest] = [candidate, edits];
  }
  return best;
}

function plainly(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, '');
}

/** How many letters have to be changed, added or taken out (V. I. Levenshtein, 1966). */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [at, letter] of Array.from(from).entries()) {
    const next = [at + 1];
    for (const [index, other] of Array.from(to).entries()) {
      const changed = row[index]! + (letter === other ? 0 : 1);
      next.push(Math.min(changed, row[index + 1]! + 1, next[index]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}

const mostEdits = 2;

/** The known key that a key is most likely a misspelling of; undefined for one that is a name of its own. */
export function similarKey(key: string, known: readonly string[]): string | undefined {
  const plain = plainly(key);
  let best: string | undefined;
  let fewest = mostEdits + 1;
  for (const candidate of known) {
    const edits = editsBetween(plain, plainly(candidate));
    // In a short name every letter makes another one.
    if (edits < fewest && edits * 3 <= candidate.length) [best, fewest] = [candidate, edits];
  }
  return best;
}

function plainly(key: string): string {
  return key.toLowerCase().replaceAll(/[-_\s]/g, '');
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

/** Names that differ by more than this share of their letters are different names. */
const mostDifferent = 0.34;
/** A beginning of fewer letters could be that of many names. */
const fewestLetters = 4;

/** The name that was probably meant: upper case, `_`, `-` and an end that was left out make no difference. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const given = plain(name);
  const [nearest] = names
    .map((known) => ({ known, distance: distanceOf(given, plain(known)) }))
    .toSorted((a, b) => a.distance - b.distance);
  if (nearest === undefined || nearest.distance > Math.max(2, given.length * mostDifferent)) return undefined;
  return nearest.distance < given.length ? nearest.known : undefined;
}

function distanceOf(given: string, known: string): number {
  return given.length >= fewestLetters && known.startsWith(given) ? 0 : editDistance(given, known);
}

function plain(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}

/** How many letters have to be added, removed or replaced to make one text of the other. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let place = 1; place <= other.length; place += 1) {
      const replaced = row[place - 1]! + (one[at - 1] === other[place - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[place]! + 1, next[place - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}

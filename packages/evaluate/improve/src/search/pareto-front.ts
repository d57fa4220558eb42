import { isAbove, isSameFigure } from '@art/ground/figures';

/** By validation task: the candidates, by their numbers, of which none scores higher on it. */
export type ParetoFronts = ReadonlyMap<string, ReadonlySet<number>>;

/** @param scores of each candidate, by validation task */
export function paretoFronts(scores: readonly ReadonlyMap<string, number>[]): ParetoFronts {
  const fronts = new Map<string, { best: number; candidates: Set<number> }>();
  for (const [candidate, byTask] of scores.entries()) {
    for (const [task, score] of byTask) {
      const front = fronts.get(task);
      if (front === undefined || isAbove(score, front.best))
        fronts.set(task, { best: score, candidates: new Set([candidate]) });
      else if (isSameFigure(score, front.best)) front.candidates.add(candidate);
    }
  }
  return new Map([...fronts].map(([task, { candidates }]) => [task, candidates]));
}

/**
 * The fronts without dominated candidates. A candidate is dominated where every front that has it has another one that is left. Those
 * with the lowest mean go first.
 * @param means of the candidates on all validation tasks
 */
export function withoutDominated(fronts: ParetoFronts, means: readonly number[]): ParetoFronts {
  const left = new Set(
    [...new Set([...fronts.values()].flatMap((front) => [...front]))].toSorted(
      (first, second) => means[first]! - means[second]!,
    ),
  );
  for (;;) {
    const dominated = [...left].find((candidate) => isDominated(candidate, left, fronts));
    if (dominated === undefined) break;
    left.delete(dominated);
  }
  return new Map(
    [...fronts].map(([task, front]) => [
      task,
      new Set([...front].filter((candidate) => left.has(candidate))),
    ]),
  );
}

function isDominated(candidate: number, left: ReadonlySet<number>, fronts: ParetoFronts): boolean {
  return [...fronts.values()]
    .filter((front) => front.has(candidate))
    .every((front) => [...front].some((other) => other !== candidate && left.has(other)));
}

/** A candidate of the fronts that is not dominated, the likelier the more fronts have it. @param random numbers from 0 up to 1 */
export function chooseCandidate(
  fronts: ParetoFronts,
  means: readonly number[],
  random: () => number,
): number {
  const counts = new Map<number, number>();
  for (const front of withoutDominated(fronts, means).values())
    for (const candidate of front) counts.set(candidate, (counts.get(candidate) ?? 0) + 1);
  const tickets = [...counts].flatMap(([candidate, count]) => Array.from({ length: count }, () => candidate));
  return tickets[Math.floor(random() * tickets.length)]!;
}

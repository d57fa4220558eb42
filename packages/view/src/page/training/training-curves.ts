import type { TrainingStep } from '../../report/run-info.ts';

/** A value over steps, one line for each run of the file. */
export interface TrainingCurve {
  member: string;
  xs: number[];
  lines: { name: string; values: (number | null)[] }[];
}

/** Members that place a step, and are no measurement of it. */
const places = new Set(['step', 'seed']);
const averaged = 10;

/**
 * The numbers of `learn.jsonl` by their names. A file may hold several runs, told apart by `run` and `seed`; a line without a `step` is
 * the next one of its run.
 */
export function trainingCurves(steps: readonly TrainingStep[]): TrainingCurve[] {
  const runs = Map.groupBy(steps, nameOfRun);
  const members = new Set<string>();
  for (const step of steps)
    for (const [name, value] of Object.entries(step))
      if (typeof value === 'number' && !places.has(name)) members.add(name);
  const numbered = [...runs].map(([name, lines]) => ({
    name,
    byStep: new Map(
      lines.map((line, at) => [typeof line['step'] === 'number' ? line['step'] : at + 1, line]),
    ),
  }));
  const xs = [...new Set(numbered.flatMap(({ byStep }) => [...byStep.keys()]))].toSorted((a, b) => a - b);
  return [...members].map((member) => ({
    member,
    xs,
    lines: numbered.map(({ name, byStep }) => ({
      name,
      values: xs.map((x) => {
        const value = byStep.get(x)?.[member];
        return typeof value === 'number' && Number.isFinite(value) ? value : null;
      }),
    })),
  }));
}

function nameOfRun(step: TrainingStep): string {
  const { run, seed } = step;
  return [typeof run === 'string' ? run : 'run', typeof seed === 'number' ? `seed ${seed}` : '']
    .filter((part) => part !== '')
    .join(', ');
}

/** Mean of a value and the nine before; null until there are ten. */
export function movingMean(values: readonly (number | null)[]): (number | null)[] {
  const known: number[] = [];
  return values.map((value) => {
    if (value === null) return null;
    known.push(value);
    if (known.length < averaged) return null;
    return known.slice(-averaged).reduce((sum, one) => sum + one, 0) / averaged;
  });
}

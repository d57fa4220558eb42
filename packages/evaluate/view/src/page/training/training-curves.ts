import { isObject } from '../../report/read-message.ts';
import type { ShownTrainingStep } from '../../report/run-info.ts';

/** A value over steps, one line for each run of the file. */
export interface TrainingCurve {
  member: string;
  xs: number[];
  lines: { name: string; values: (number | null)[] }[];
}

/** Members that place a step, and are no measurement of it. */
const places = new Set(['step', 'seed']);
/** Means that the page draws itself. */
const means = new Set(['meanOfTen', 'rewardOfTen']);
/** Curves that come first; the others follow as the file has them. */
const first = ['reward', 'held-out score', 'held-out tasks', 'loss', 'lag mean'];
const averaged = 10;

/**
 * The numbers of `metrics.jsonl` or `learn.jsonl` by their names; `lag: { mean }` is "lag mean", and the scores of evaluations stand at the
 * steps that were measured. A file may hold several runs, told apart by `run` and `seed`; a line without a `step` is the next one of its run.
 * The later one of two lines of one step counts: a run that continued from a checkpoint has made it again.
 */
export function trainingCurves(steps: readonly ShownTrainingStep[]): TrainingCurve[] {
  const runs = Map.groupBy(steps, nameOfRun);
  const numbered = [...runs].map(([name, lines]) => ({ name, byStep: measuresByStep(lines) }));
  const members = new Set<string>();
  for (const { byStep } of numbered)
    for (const measures of byStep.values()) for (const member of measures.keys()) members.add(member);
  const xs = [...new Set(numbered.flatMap(({ byStep }) => [...byStep.keys()]))].toSorted((a, b) => a - b);
  return [...members].toSorted(byImportance).map((member) => ({
    member,
    xs,
    lines: numbered.map(({ name, byStep }) => ({
      name,
      values: xs.map((x) => byStep.get(x)?.get(member) ?? null),
    })),
  }));
}

type Measures = Map<string, number>;

function measuresByStep(lines: readonly ShownTrainingStep[]): Map<number, Measures> {
  const byStep = new Map<number, Measures>();
  const scores: Measured[] = [];
  for (const [at, line] of lines.entries()) {
    const { step, evaluations, ...members } = line;
    const measures: Measures = new Map();
    for (const [name, value] of numbersIn(members)) measures.set(name, value);
    byStep.set(typeof step === 'number' ? step : at + 1, measures);
    scores.push(...scoresIn(evaluations));
  }
  // Scores of different tasks: how many stands beside them.
  const areUnlike = new Set(scores.map(({ tasks }) => tasks)).size > 1;
  for (const { step, score, tasks } of scores) {
    const measures = byStep.get(step) ?? new Map<string, number>();
    if (areUnlike && tasks !== undefined) measures.set('held-out tasks', tasks);
    byStep.set(step, measures.set('held-out score', score));
  }
  return byStep;
}

function* numbersIn(value: Readonly<Record<string, unknown>>, prefix = ''): Generator<[string, number]> {
  for (const [name, member] of Object.entries(value)) {
    if (prefix === '' && (places.has(name) || means.has(name))) continue;
    if (typeof member === 'number' && Number.isFinite(member)) yield [nameOf(prefix + name), member];
    // A service's own names stand for themselves.
    else if (isObject(member)) yield* numbersIn(member, name === 'metrics' ? '' : `${prefix}${name} `);
  }
}

/** Services tell the sum or the mean of a pass. */
function nameOf(name: string): string {
  return name === 'loss:mean' ? 'loss' : name;
}

interface Measured {
  step: number;
  score: number;
  tasks: number | undefined;
}

function scoresIn(evaluations: unknown): Measured[] {
  if (!Array.isArray(evaluations)) return [];
  return evaluations.flatMap((value: unknown) => {
    const { step, score, tasks } = isObject(value) ? value : {};
    if (typeof step !== 'number' || typeof score !== 'number') return [];
    return [{ step, score, tasks: typeof tasks === 'number' ? tasks : undefined }];
  });
}

function byImportance(one: string, other: string): number {
  return rank(one) - rank(other);
}

function rank(member: string): number {
  const place = first.findIndex((name) => member === name || member.startsWith(`${name}:`));
  return place === -1 ? first.length : place;
}

function nameOfRun(step: ShownTrainingStep): string {
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

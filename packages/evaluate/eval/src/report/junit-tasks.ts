import { isAtLeast } from '@art/ground/figures';
import type { SampleRecord } from '@art/trajectories';
import { readSamples } from '../records/read-samples.ts';
import type { RunRecord } from '../records/run-record.ts';
import type { ThresholdCheck } from '../results/thresholds.ts';
import { plainMean } from '../statistics/clustered-mean.ts';
import { leastPasses, reduceScores, reductionText } from '../statistics/reduce-scores.ts';
import { type CaseKind, escaped, type JunitCase, seconds } from './junit-case.ts';

/** A sample as the case of its task names it. */
type Sample = Pick<SampleRecord, 'score' | 'latencyMs'> & { said: string };

/** True if the samples of a task make one verdict. */
export function isOfTasks({ reduce }: RunRecord, checks: readonly ThresholdCheck[]): boolean {
  return reduce !== undefined || checks.some(({ passes }) => passes !== null);
}

/** The test cases of a run, one a task. Of several thresholds of tasks the one that wants most samples decides. */
export async function taskCases(
  folder: string,
  run: RunRecord,
  checks: readonly ThresholdCheck[],
): Promise<JunitCase[]> {
  const tasks = new Map<string, Map<number, Sample>>();
  for await (const { record } of readSamples(folder)) {
    const { taskId, sample, score, latencyMs, outcome, error, judgeError } = record;
    const task = tasks.get(taskId) ?? new Map<number, Sample>();
    const why = error ?? judgeError;
    const said = [`#${sample}: ${score ?? 'no reward'}`, outcome, ...(why === null ? [] : [why.message])];
    tasks.set(taskId, task.set(sample, { score, latencyMs, said: said.join(', ') }));
  }
  const threshold = checks
    .filter(({ passes }) => passes !== null)
    .toSorted((one, other) => other.passes! - one.passes!)[0];
  return Array.from(tasks, ([taskId, samples]) => {
    const verdict = verdictOf([...samples.values()], run, threshold);
    // As with samples: other thresholds decide about the whole run.
    const isDecided = threshold === undefined && checks.length > 0 && verdict.kind !== 'passed';
    return caseOf(taskId, run, samples, isDecided ? { ...verdict, kind: 'skipped' } : verdict);
  });
}

function verdictOf(
  samples: readonly Sample[],
  run: RunRecord,
  threshold: ThresholdCheck | undefined,
): { kind: CaseKind; message: string } {
  const scores = samples.flatMap(({ score }) => score ?? []);
  const passed = scores.filter((score) => isAtLeast(score, run.passReward)).length;
  const lost = Math.max(0, run.samples - scores.length);
  const seen = `${passed} of ${run.samples} samples passed${lost === 0 ? '' : `, ${lost} have no reward`}`;
  const least = threshold?.passes ?? leastPasses(run.reduce);
  if (least === undefined) {
    const counted = reduceScores(scores, run);
    if (counted.length === 0) return { kind: 'error', message: seen };
    const score = plainMean(counted);
    const message = `${seen}; ${reductionText(run)} is ${score}, wanted ${run.passReward}`;
    return { kind: isAtLeast(score, run.passReward) ? 'passed' : 'failure', message };
  }
  const message = `${seen}, wanted ${least}`;
  if (passed >= least) return { kind: 'passed', message };
  const isOpen = passed + lost >= least;
  if (threshold === undefined) return { kind: isOpen ? 'error' : 'failure', message };
  const isMissed = !isOpen && !threshold.isReached && threshold.problem === null;
  return { kind: isMissed ? 'failure' : 'skipped', message };
}

function caseOf(
  taskId: string,
  run: RunRecord,
  samples: ReadonlyMap<number, Sample>,
  { kind, message }: ReturnType<typeof verdictOf>,
): JunitCase {
  const ms = [...samples.values()].reduce((sum, { latencyMs }) => sum + (latencyMs ?? 0), 0);
  const types: Partial<Record<CaseKind, string>> = { failure: ' type="below"', error: ' type="not_judged"' };
  const verdict = kind === 'passed' ? '' : `<${kind}${types[kind] ?? ''} message="${escaped(message)}"/>`;
  const lines = [
    message,
    ...[...samples].toSorted(([one], [other]) => one - other).map(([, { said }]) => said),
  ];
  return {
    kind,
    text: `<testcase classname="${escaped(run.name ?? run.agent)}" name="${escaped(taskId)}" time="${seconds(ms)}">${verdict}<system-out>${escaped(lines.join('\n'))}</system-out></testcase>\n`,
  };
}

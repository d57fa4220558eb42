import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { isAtLeast } from '@art/ground/figures';
import type { RunRecord } from '../records/run-record.ts';
import type { SampleRecord } from '@art/trajectories';
import type { ResultsRecord } from '../records/results-record.ts';
import { readSamples } from '../records/read-samples.ts';
import type { checkThresholds } from '../results/thresholds.ts';
import { gotText } from './format-figures.ts';
import { type CaseKind, escaped, seconds } from './junit-case.ts';
import { isOfTasks, taskCases } from './junit-tasks.ts';

/**
 * Writes a run as JUnit XML: a test case a sample, or a task where `minTasks` or a reducer makes one verdict of its samples. Without thresholds
 * what did not pass is a failure, and what could not be judged an error. With thresholds these decide, as they do about the exit code: a case each,
 * and samples and tasks are passed or skipped. Where `minTasks` is not reached, tasks that miss it are failures.
 * Samples are read one after the other. The XML is of the schema junit-10 of Jenkins' xUnit plugin, which knows no `skipped` of all suites and no
 * properties of a case: metrics are its output.
 * @param check of `EvalRun.check`
 */
export async function writeJunitXml(
  folder: string,
  run: RunRecord,
  results: ResultsRecord,
  path: string,
  check: ReturnType<typeof checkThresholds> = { verdict: 'passed', checks: [] },
): Promise<void> {
  const hasThresholds = check.checks.length > 0;
  const tasks = isOfTasks(run, check.checks) ? await taskCases(folder, run, check.checks) : undefined;
  // Later lines replace earlier ones, so it has to be known first which one counts.
  const lastByte = new Map<string, number>();
  const verdicts = new Map<string, CaseKind>();
  for await (const { record, endByte } of readSamples(folder)) {
    lastByte.set(record.id, endByte);
    verdicts.set(record.id, kindOf(record, run, hasThresholds));
  }
  const kinds = tasks?.map(({ kind }) => kind) ?? [...verdicts.values()];
  const cases = { tests: kinds.length, ...countKinds(kinds) };
  const thresholds = thresholdCases(run, check);
  const all = [cases, countKinds(thresholds.map(({ kind }) => kind))];
  const file = createWriteStream(path);
  const ended = finished(file);
  const write = async (text: string): Promise<void> => {
    if (!file.write(text)) await Promise.race([once(file, 'drain'), ended]);
  };
  const name = escaped(run.name ?? run.agent);
  const time = ` time="${seconds(results.wallMs)}"`;
  await write(
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites tests="${cases.tests + thresholds.length}" ${totalsText(all)}${time}>\n`,
  );
  if (hasThresholds) {
    const counts = countsText(all[1]!);
    await write(`<testsuite name="${name}: thresholds" tests="${thresholds.length}" ${counts}>\n`);
    for (const { text } of thresholds) await write(text);
    await write('</testsuite>\n');
  }
  await write(`<testsuite name="${name}" tests="${cases.tests}" ${countsText(cases)}${time}>\n`);
  for (const { text } of tasks ?? []) await write(text);
  for await (const { record, endByte } of tasks === undefined ? readSamples(folder) : [])
    if (lastByte.get(record.id) === endByte) await write(sampleCase(record, run, verdicts.get(record.id)!));
  await write('</testsuite>\n</testsuites>\n');
  file.end();
  await ended;
}

function kindOf({ score }: SampleRecord, run: RunRecord, hasThresholds: boolean): CaseKind {
  if (score !== null && isAtLeast(score, run.passReward)) return 'passed';
  if (hasThresholds) return 'skipped';
  return score === null ? 'error' : 'failure';
}

type KindCounts = Record<Exclude<CaseKind, 'passed'>, number>;

function countKinds(kinds: Iterable<CaseKind>): KindCounts {
  const counts = { passed: 0, failure: 0, error: 0, skipped: 0 };
  for (const kind of kinds) counts[kind] += 1;
  return counts;
}

function totalsText(suites: readonly KindCounts[]): string {
  const sum = (kind: keyof KindCounts): number => suites.reduce((total, counts) => total + counts[kind], 0);
  return `failures="${sum('failure')}" errors="${sum('error')}"`;
}

function countsText(suite: KindCounts): string {
  return `${totalsText([suite])} skipped="${suite.skipped}"`;
}

function thresholdCases(
  run: RunRecord,
  { verdict, checks }: ReturnType<typeof checkThresholds>,
): { kind: CaseKind; text: string }[] {
  return checks.map((check) => {
    const { name, wanted, isReached } = check;
    const got = gotText(check);
    const open = `<testcase classname="${escaped(run.name ?? run.agent)}" name="${escaped(`${name} >= ${wanted}`)}"`;
    if (verdict === 'not_judged') {
      const text = `${open}><error type="not_judged" message="${escaped(`The run could not be judged: ${got}.`)}"/></testcase>\n`;
      return { kind: 'error', text };
    }
    if (isReached) return { kind: 'passed', text: `${open}/>\n` };
    return {
      kind: 'failure',
      text: `${open}><failure type="below" message="${escaped(`${name} is ${got}, wanted ${wanted}`)}"/></testcase>\n`,
    };
  });
}

function sampleCase(record: SampleRecord, run: RunRecord, kind: CaseKind): string {
  const open = `<testcase classname="${escaped(run.name ?? run.agent)}" name="${escaped(record.id)}" time="${seconds(record.latencyMs)}"`;
  const metrics = Object.entries(record.metrics ?? {}).map(([name, value]) => escaped(`${name} ${value}`));
  const output = metrics.length === 0 ? '' : `<system-out>${metrics.join('\n')}</system-out>`;
  if (kind === 'passed') return output === '' ? `${open}/>\n` : `${open}>${output}</testcase>\n`;
  const error = record.error ?? record.judgeError;
  const score =
    record.score === null ? 'It has no reward.' : `score ${record.score}, wanted ${run.passReward}`;
  const message = escaped(error?.message ?? score);
  if (kind === 'skipped') return `${open}><skipped message="${message}"/>${output}</testcase>\n`;
  const details = escaped([...record.remarks, error?.stack ?? ''].join('\n'));
  return `${open}><${kind} type="${escaped(error?.code ?? record.outcome)}" message="${message}">${details}</${kind}>${output}</testcase>\n`;
}

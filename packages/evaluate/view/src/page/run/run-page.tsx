import type { StatusRecord } from '@art/eval/records';
import { quantile } from '@art/eval/statistics';
import { isAtLeast, isInRange } from '@art/ground/figures';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { EvaluationInfo } from '../../report/run-info.ts';
import type { SampleRow } from '../../report/sample-row.ts';
import { LineChart } from '../chart/line-chart.tsx';
import type { RunData } from '../data/run-data.ts';
import { Figure } from '../shell/figure.tsx';
import type { RunHealthReport } from '../../report/run-health.ts';
import { HealthPanel } from '../health/health-panel.tsx';
import { hrefOf } from '../shell/route.ts';
import { conditions, isCondition } from '../table/filter-rows.ts';
import { stragglerLimitMs } from '../table/straggler-limit.ts';
import {
  formatCount,
  formatDuration,
  formatPercent,
  formatScore,
  formatTick,
  formatTime,
} from '../text/format.ts';
import { oneLine } from '../text/marked-text.ts';
import { OutcomeBar } from './outcome-bar.tsx';
import { meanSoFar, runStartMs, sessionsAtWork } from './run-curves.ts';
import { readRunResults, type RunResults } from './run-results.ts';
import { RunFactList } from './run-facts.tsx';
import { ReportTables } from './report-tables.tsx';
import { ScoreHistogram } from './score-histogram.tsx';
import { countedScores, countOutcomes, meanOf, summariesByTag, summariesByTask } from './task-summaries.ts';
import { SummaryTable } from './summary-table.tsx';
import { Timeline } from './timeline.tsx';
import { timelineLines } from './timeline-bars.ts';

export interface RunPageProps {
  run: number;
  data: RunData;
  info: EvaluationInfo;
  health: RunHealthReport | null | undefined;
}

const worstTasks = 10;

/** Page of a run: its facts, its progress and its results. */
export function RunPage({ run, data, info, health }: RunPageProps): JSX.Element {
  const { rows } = data;
  const { status } = info;
  const limitMs = useMemo(() => stragglerLimitMs(rows), [rows]);
  const scores = useMemo(() => rows.flatMap(({ score }) => (score === null ? [] : [score])), [rows]);
  const tasks = useMemo(() => summariesByTask(rows, info.run), [rows, info.run]);
  const tags = useMemo(() => summariesByTag(rows, info.run).toSorted(byMean), [rows, info.run]);
  const startMs = useMemo(() => runStartMs(rows), [rows]) ?? status?.startedAtMs ?? info.begunAtMs;
  const now = useMemo(
    () => (info.isLive && status !== null ? nowOf(status) : undefined),
    [info.isLive, status],
  );
  const curves = useMemo(
    () => ({ mean: meanSoFar(rows, startMs), work: sessionsAtWork(rows, startMs, now) }),
    [rows, startMs, now],
  );
  const lines = useMemo(
    () =>
      timelineLines(rows, (info.isLive && status?.live) || [], {
        startMs,
        nowMs: status?.updatedAtMs ?? startMs,
        limitMs,
      }),
    [rows, status, startMs, limitMs, info.isLive],
  );
  const modelId = info.run?.model.modelId ?? null;
  const results = useMemo(() => readRunResults(info.results), [info.results]);
  const total = Math.max(rows.length, status?.total ?? plannedSamples(info) ?? 0);
  const meanLines = useMemo(() => [{ name: 'mean', colour: 'accent', values: curves.mean.ys }], [curves]);
  const workLines = useMemo(
    () => [{ name: 'sessions', colour: 't-working', values: curves.work.ys, drawn: 'area' as const }],
    [curves],
  );
  return (
    <main class="run-page">
      <div class="run-head">
        <h1>
          <bdi>{oneLine(info.title)}</bdi>
        </h1>
        <StateLabel info={info} />
      </div>
      <p class="subtitle">
        <bdi>{oneLine(info.agent)}</bdi>
        {modelId !== null && (
          <>
            {' '}
            with <bdi>{oneLine(modelId)}</bdi>
          </>
        )}{' '}
        · begun {formatTime(info.begunAtMs)}
      </p>
      {results.distrust !== undefined && <p class="trouble">{results.distrust}</p>}
      <Figures results={results} rows={rows} scores={scores} total={total} tasks={tasks.length} info={info} />
      {info.end !== null && <ReportTables tables={[info.end]} />}
      <section class="panel" aria-labelledby="outcomes-title">
        <h2 id="outcomes-title">Outcomes</h2>
        <OutcomeBar run={run} counts={countOutcomes(rows)} total={total} />
        <WorthALook run={run} rows={rows} limitMs={limitMs} />
      </section>
      <HealthPanel run={run} health={health} />
      <div class="columns">
        <div class="panel">
          <LineChart
            title="Mean score so far"
            xs={curves.mean.xs}
            lines={meanLines}
            xName="after"
            isTime
            formatX={formatDuration}
            formatY={formatTick}
            range={scores.every((score) => isInRange(score, unit)) ? unit : undefined}
          />
        </div>
        <div class="panel">
          <ScoreHistogram scores={scores} />
        </div>
      </div>
      {lines.length > 0 && <Timeline run={run} lines={lines} />}
      <div class="panel">
        <LineChart
          title="Sessions at work"
          xs={curves.work.xs}
          lines={workLines}
          xName="after"
          isTime
          formatX={formatDuration}
          formatY={formatCount}
          height={120}
        />
      </div>
      <div class="columns">
        <SummaryTable
          title="Worst tasks"
          named="Task"
          summaries={tasks
            .filter(({ mean }) => mean !== undefined)
            .toSorted(byMean)
            .slice(0, worstTasks)}
          href={(name) => hrefOf({ page: 'samples', run, query: termOf('task', name), sort: '' })}
        />
        {tags.length > 0 && (
          <SummaryTable
            title="By tag"
            named="Tag"
            intervals={results.tagIntervals}
            summaries={tags.slice(0, 50)}
            href={(name) => hrefOf({ page: 'samples', run, query: termOf('tag', name), sort: '' })}
          />
        )}
      </div>
      {info.run !== null && <RunFactList run={info.run} folder={info.folder} />}
    </main>
  );
}

function nowOf({ live, atWork, updatedAtMs }: StatusRecord): Parameters<typeof sessionsAtWork>[2] {
  // Earlier versions tell only the samples themselves.
  return { live, atWork: atWork ?? live.length, atMs: updatedAtMs };
}

const unit = [0, 1] as const;

function termOf(name: string, value: string): string {
  return /\s/.test(value) ? `"${name}:${value}"` : `${name}:${value}`;
}

function byMean(a: { mean: number | undefined }, b: { mean: number | undefined }): number {
  return (a.mean ?? Infinity) - (b.mean ?? Infinity);
}

function plannedSamples({ run }: EvaluationInfo): number | undefined {
  return run?.tasks.count == null ? undefined : run.tasks.count * run.samples;
}

function StateLabel({ info: { status, isLive } }: { info: EvaluationInfo }): JSX.Element {
  const state = status?.state ?? (isLive ? 'running' : 'finished');
  const name = state === 'running' && !isLive ? 'ended unexpectedly' : state;
  return <span class={`state is-${isLive ? 'live' : state}`}>{name}</span>;
}

interface FiguresProps {
  results: RunResults;
  rows: readonly SampleRow[];
  scores: readonly number[];
  total: number;
  tasks: number;
  info: EvaluationInfo;
}

function Figures({ results, rows, scores, total, tasks, info }: FiguresProps): JSX.Element {
  const latency = useMemo((): RunResults['latency'] => {
    // Samples whose answers were kept took no time, which only the results know.
    if (!info.isLive && info.results !== null) return results.latency;
    const sorted = Float64Array.from(rows.flatMap(({ latencyMs }) => latencyMs ?? [])).toSorted();
    return sorted.length === 0 ? {} : { median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) };
  }, [rows, results, info]);
  const { status } = info;
  const passReward = info.run?.passReward ?? 1;
  const counted = useMemo(() => countedScores(rows, info.run), [rows, info.run]);
  const passed = scores.filter((score) => isAtLeast(score, passReward)).length;
  const tokens = status?.tokens ?? null;
  return (
    <dl class="figures">
      <Figure name="Samples" note={`${formatCount(tasks)} tasks`}>
        {formatCount(rows.length)}
        {rows.length < total && <span class="of"> of {formatCount(total)}</span>}
        {rows.length < total && (
          <progress value={rows.length} max={total} aria-label="Samples that have ended" />
        )}
      </Figure>
      <Figure
        name="Mean score"
        note={
          results.meanInterval ??
          `of ${formatCount(counted.length)} ${info.run?.reduce === undefined ? 'samples' : 'tasks'} that count`
        }
      >
        {results.openMean ?? formatScore(meanOf(counted))}
      </Figure>
      <Figure name="Passed" note={`score ${formatScore(passReward)} or more`}>
        {scores.length === 0 ? '–' : formatPercent(passed / scores.length)}
      </Figure>
      <Figure
        name="Latency, median"
        note={latency.p95 === undefined ? '' : `95 % within ${formatDuration(latency.p95)}`}
      >
        {formatDuration(latency.median)}
      </Figure>
      {[...results.passes, ...results.metrics].map(({ name, value, interval }) => (
        <Figure key={name} name={name} note={interval ?? ''}>
          {value}
        </Figure>
      ))}
      {info.isLive && status !== null && (
        <Figure name="At work" note={`of ${formatCount(status.concurrency)} sessions at most`}>
          {formatCount(status.atWork ?? status.live.length)}
        </Figure>
      )}
      {tokens !== null && tokens.prompt + tokens.completion > 0 && (
        <Figure name="Tokens" note={`${formatCount(tokens.completion)} of them sampled`}>
          {formatCount(tokens.prompt + tokens.completion)}
        </Figure>
      )}
      {status?.cost != null && <Figure name="Cost">{formatScore(status.cost)}</Figure>}
    </dl>
  );
}

const conditionNames = {
  failed: 'failed',
  retried: 'tried again',
  throttled: 'throttled',
  straggler: 'far slower than the others',
  unjudged: 'ok without a reward',
} as const;

/** Links to what is unusual. */
function WorthALook({
  run,
  rows,
  limitMs,
}: {
  run: number;
  rows: readonly SampleRow[];
  limitMs: number | undefined;
}): JSX.Element | null {
  const found = conditions
    .filter((condition) => condition !== 'failed')
    .map((condition) => ({
      condition,
      count: rows.filter((row) => isCondition(row, condition, limitMs)).length,
    }))
    .filter(({ count }) => count > 0);
  if (found.length === 0) return null;
  return (
    <ul class="worth-a-look">
      {found.map(({ condition, count }) => (
        <li key={condition}>
          <a href={hrefOf({ page: 'samples', run, query: `is:${condition}`, sort: '-latency' })}>
            <b>{formatCount(count)}</b> {conditionNames[condition]}
            {condition === 'straggler' && limitMs !== undefined && ` (over ${formatDuration(limitMs)})`}
          </a>
        </li>
      ))}
    </ul>
  );
}

import { haveSpread } from '@art/ground/figures';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { type ChartLine, LineChart } from '../chart/line-chart.tsx';
import type { RunData } from '../data/run-data.ts';
import type { RunHealthReport } from '../../report/run-health.ts';
import { HealthPanel } from '../health/health-panel.tsx';
import { formatCount, formatDuration, formatScore, formatTick } from '../text/format.ts';
import { oneLine } from '../text/marked-text.ts';
import { movingMean, trainingCurves, type TrainingCurve } from './training-curves.ts';

const colours = ['line-1', 'line-2', 'line-3', 'line-4', 'line-5', 'line-6'] as const;

export interface TrainingPageProps {
  run: number;
  data: RunData;
  health: RunHealthReport | null | undefined;
}

/** A training run: its reward over steps first, then everything else that its steps tell. */
export function TrainingPage({ run, data: { info, steps }, health }: TrainingPageProps): JSX.Element {
  const curves = useMemo(() => trainingCurves(steps), [steps]);
  const reward = curves.find(({ member }) => member === 'reward');
  const rewardLines = useMemo(() => reward && linesOfReward(reward), [reward]);
  const others = curves.filter(({ member }) => member !== 'reward');
  const constants = others.filter((curve) => constantOf(curve) !== undefined);
  return (
    <main class="training-page">
      <div class="run-head">
        <h1>
          <bdi>{oneLine(info.title)}</bdi>
        </h1>
        <span class={`state ${info.isLive ? 'is-live' : 'is-finished'}`}>
          {info.isLive ? 'running' : 'at rest'}
        </span>
      </div>
      <p class="subtitle">
        <bdi>{oneLine(info.folder)}</bdi> · {formatCount(steps.length)} steps
      </p>
      {steps.length === 0 && <p class="empty">No step has ended yet.</p>}
      {reward !== undefined && rewardLines !== undefined && (
        <>
          <LatestFigures reward={reward} />
          <div class="panel">
            <LineChart
              title="Reward"
              xs={reward.xs}
              lines={rewardLines}
              xName="step"
              formatX={formatCount}
              formatY={formatTick}
              height={300}
            />
          </div>
        </>
      )}
      <HealthPanel run={run} health={health} />
      <div class="columns">
        {others
          .filter((curve) => !constants.includes(curve))
          .map((curve) => (
            <OtherCurve key={curve.member} curve={curve} />
          ))}
      </div>
      {constants.length > 0 && (
        <p class="subtitle">
          The same in every step:{' '}
          {constants.map((curve) => `${curve.member} ${formatTick(constantOf(curve)!)}`).join(', ')}
        </p>
      )}
    </main>
  );
}

/** Its value where it never changes. */
function constantOf({ lines }: TrainingCurve): number | undefined {
  const values = lines.flatMap((line) => line.values).filter((value) => value !== null);
  return haveSpread(values) ? undefined : values[0];
}

function LatestFigures({ reward }: { reward: TrainingCurve }): JSX.Element {
  return (
    <dl class="figures">
      {reward.lines.slice(0, 6).map(({ name, values }, at) => {
        const means = movingMean(values).filter((mean) => mean !== null);
        const best = means.length === 0 ? undefined : means.reduce((a, b) => Math.max(a, b));
        return (
          <div key={name}>
            <dt>
              <span class="key" style={{ background: `var(--${colours[at]})` }} aria-hidden="true" /> {name}
            </dt>
            <dd>
              <span class="value">
                {formatScore(means.at(-1) ?? values.findLast((value) => value !== null))}
              </span>
              <span class="note">
                {means.length === 0 ? 'last step' : `mean of the last ten steps, best ${formatScore(best)}`}
              </span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function OtherCurve({ curve }: { curve: TrainingCurve }): JSX.Element {
  const lines = useMemo(
    () =>
      curve.lines.map(({ name, values }, at) => ({ name, values, colour: colours[at % colours.length]! })),
    [curve],
  );
  const isDuration = curve.member.endsWith('Ms');
  return (
    <div class="panel">
      <LineChart
        title={isDuration ? curve.member.slice(0, -2) : curve.member}
        xs={curve.xs}
        lines={lines}
        xName="step"
        formatX={formatCount}
        formatY={isDuration ? formatDuration : formatTick}
        height={140}
      />
    </div>
  );
}

/** Steps pale, their means of ten over them. */
function linesOfReward({ lines }: TrainingCurve): ChartLine[] {
  return [
    ...lines.map(({ values }, at): ChartLine => ({
      name: '',

      values,
      colour: colours[at % colours.length]!,
      drawn: 'faint',
    })),
    ...lines.map(({ name, values }, at): ChartLine => ({
      name: `${name}, mean of ten`,
      values: movingMean(values),
      colour: colours[at % colours.length]!,
    })),
  ];
}

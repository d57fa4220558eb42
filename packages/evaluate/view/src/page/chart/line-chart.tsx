import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { useSize } from '../scroll/use-size.ts';
import { formatTimeTick, timeSteps } from './time-ticks.ts';
import { useColours } from './use-colours.ts';

export interface ChartLine {
  /** Empty for a line that needs no name beside others. */
  name: string;
  /** Colour by the style, without dashes. */
  colour: string;
  /** One for each x; null where there is none. */
  values: readonly (number | null)[];
  /** @default 'line' */
  drawn?: 'line' | 'faint' | 'area' | 'points' | 'steps' | undefined;
}

export interface LineChartProps {
  title: string;
  xs: readonly number[];
  lines: readonly ChartLine[];
  xName: string;
  formatX: (x: number) => string;
  formatY: (y: number) => string;
  height?: number;
  /** True if x is a time in milliseconds. @default false */
  isTime?: boolean;
  /** Bounds of the values, where they are known beforehand. */
  range?: readonly [number, number] | undefined;
}

/** Lines over one axis. What is under the pointer is told in words above them. */
export function LineChart(props: LineChartProps): JSX.Element {
  const { title, xs, lines, xName, formatX, formatY, height = 180, range, isTime = false } = props;
  const box = useRef<HTMLDivElement>(null);
  const { width } = useSize(box);
  const colours = useColours();
  const [pointed, setPointed] = useState<number | null>(null);
  useLayoutEffect(() => {
    if (box.current === null || width === 0) return undefined;
    const chart = new uPlot(
      optionsOf({
        lines,
        formatX,
        formatY,
        height,
        range,
        isTime,
        width,
        colours,
        setPointed,
        fontFamily: getComputedStyle(box.current).fontFamily,
      }),
      [xs as number[], ...lines.map(({ values }) => values as (number | null)[])],
      box.current,
    );
    return () => chart.destroy();
  }, [xs, lines, width, height, colours, range?.[0], range?.[1]]);
  const at = pointed ?? xs.length - 1;
  return (
    <figure class="chart">
      <figcaption>
        <span class="chart-title">{title}</span>
        <span class="legend">
          {lines
            .filter(({ name }) => name !== '')
            .map(({ name, colour, values }) => (
              <span key={name}>
                <span class="key" style={{ background: `var(--${colour})` }} aria-hidden="true" />
                {name} <b>{values[at] == null ? '–' : formatY(values[at])}</b>
              </span>
            ))}
          {xs.length > 0 && (
            <span class="at">
              {xName} {formatX(xs[at]!)}
            </span>
          )}
        </span>
      </figcaption>
      <div
        class="chart-box"
        ref={box}
        role="img"
        aria-label={describe(props)}
        style={{ height: `${height}px` }}
      />
    </figure>
  );
}

/** For those who cannot see it. */
function describe({ title, xs, lines, xName, formatX, formatY }: LineChartProps): string {
  if (xs.length === 0) return `${title}: nothing yet`;
  const told = lines
    .filter(({ name }) => name !== '')
    .map(({ name, values }) => {
      const known = values.filter((value) => value !== null);
      if (known.length === 0) return `${name}: none`;
      const least = known.reduce((a, b) => Math.min(a, b));
      const most = known.reduce((a, b) => Math.max(a, b));
      return `${name} from ${formatY(known[0]!)} to ${formatY(known.at(-1)!)}, least ${formatY(least)}, most ${formatY(most)}`;
    });
  return `${title}, ${xName} ${formatX(xs[0]!)} to ${formatX(xs.at(-1)!)}. ${told.join('. ')}`;
}

interface ChartSettings extends Pick<LineChartProps, 'lines' | 'formatX' | 'formatY' | 'range'> {
  isTime: boolean;
  fontFamily: string;
  width: number;
  height: number;
  colours: (name: string) => string;
  setPointed: (at: number | null) => void;
}

function optionsOf(settings: ChartSettings): uPlot.Options {
  const { lines, formatX, formatY, range, width, height, colours, setPointed, isTime, fontFamily } = settings;
  const axis: uPlot.Axis = {
    stroke: colours('muted'),
    font: `12px ${fontFamily}`,
    grid: { stroke: colours('grid'), width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height,
    legend: { show: false },
    padding: [8, 12, 0, 0],
    cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
    scales: {
      x: { time: false },
      y: range === undefined ? {} : { range: () => [range[0], range[1]] },
    },
    axes: [
      {
        ...axis,
        values: (_, ticks, __, ___, step) =>
          ticks.map((x) => (isTime ? formatTimeTick(x, step) : formatX(x))),
        ...(isTime && { incrs: [...timeSteps] }),
        size: 28,
        space: 70,
        gap: 6,
      },
      { ...axis, values: (_, ticks) => ticks.map(formatY), size: 52, space: 36, gap: 6 },
    ],
    series: [
      {},
      ...lines.map(({ name, colour, drawn = 'line' }): uPlot.Series => {
        const stroke = colours(colour);
        return {
          label: name,
          stroke,
          width: drawn === 'points' ? 0 : drawn === 'faint' ? 1 : 2,
          spanGaps: true,
          ...(drawn === 'faint' && { alpha: 0.45 }),
          ...(drawn === 'area' && { fill: `color-mix(in srgb, ${stroke} 18%, transparent)` }),
          ...(drawn === 'steps' && { paths: uPlot.paths.stepped!({ align: 1 }) }),
          points: { show: drawn === 'points', size: 4, fill: stroke },
        };
      }),
    ],
    hooks: { setCursor: [(chart) => setPointed(chart.cursor.idx ?? null)] },
  };
}

import { formatTimeTick, timeSteps } from '../chart/time-ticks.ts';
import type { Colours } from '../chart/use-colours.ts';
import type { Phase, TimelineLine } from './timeline-bars.ts';

export interface TimelineView {
  width: number;
  height: number;
  /** Height of one line. */
  lineHeight: number;
  /** Place of the first line that is drawn, in pixels above the upper edge. */
  offset: number;
  fromMs: number;
  toMs: number;
  /** Line to be marked. */
  marked: TimelineLine | undefined;
}

/** Height of the axis above the lines. */
export const axisHeight = 24;
const phaseColours: Record<Phase, string> = {
  waiting: 't-waiting',
  working: 't-working',
  noticing: 't-noticing',
  stopping: 't-stopping',
  lost: 't-lost',
};

/** Paints lines of a timeline, the first of them at the top. */
export function drawTimeline(
  canvas: HTMLCanvasElement,
  lines: readonly TimelineLine[],
  view: TimelineView,
  colours: Colours,
): void {
  const scale = devicePixelRatio;
  canvas.width = Math.round(view.width * scale);
  canvas.height = Math.round(view.height * scale);
  const context = canvas.getContext('2d')!;
  context.scale(scale, scale);
  context.clearRect(0, 0, view.width, view.height);
  const x = (ms: number): number => ((ms - view.fromMs) / (view.toMs - view.fromMs)) * view.width;
  drawAxis(context, view, x, colours);
  context.save();
  context.beginPath();
  context.rect(0, axisHeight, view.width, view.height - axisHeight);
  context.clip();
  const barHeight = Math.max(1, view.lineHeight > 4 ? view.lineHeight - 3 : view.lineHeight);
  for (const [number, line] of lines.entries()) {
    const y = axisHeight + number * view.lineHeight - view.offset;
    if (line === view.marked) {
      context.fillStyle = colours('marked');
      context.fillRect(0, y - 1, view.width, view.lineHeight);
    }
    for (const { phase, fromMs, toMs } of line.bars) {
      const left = x(fromMs);
      const isThin = phase === 'stopping' && barHeight > 3;
      context.fillStyle = colours(phaseColours[phase]);
      context.fillRect(
        left,
        isThin ? y + barHeight / 2 - 1 : y,
        Math.max(1, x(toMs) - left),
        isThin ? 2 : barHeight,
      );
    }
    if (line.hasFailed) {
      context.fillStyle = colours('bad');
      context.fillRect(x(line.toMs) - 2, y, 4, barHeight);
    }
    context.fillStyle = colours('t-throttled');
    for (const ms of line.throttledMs)
      diamond(context, x(ms), y + barHeight / 2, Math.max(2.5, barHeight / 2));
  }
  context.restore();
}

function diamond(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.moveTo(x, y - radius);
  context.lineTo(x + radius, y);
  context.lineTo(x, y + radius);
  context.lineTo(x - radius, y);
  context.fill();
}

function drawAxis(
  context: CanvasRenderingContext2D,
  view: TimelineView,
  x: (ms: number) => number,
  colours: Colours,
): void {
  context.font = `12px ${getComputedStyle(context.canvas).fontFamily}`;
  context.textBaseline = 'top';
  const stepMs = tickStepMs((view.toMs - view.fromMs) / Math.max(2, view.width / 110));
  for (let ms = Math.ceil(view.fromMs / stepMs) * stepMs; ms <= view.toMs; ms += stepMs) {
    const left = Math.round(x(ms)) + 0.5;
    context.strokeStyle = colours('grid');
    context.beginPath();
    context.moveTo(left, axisHeight - 4);
    context.lineTo(left, view.height);
    context.stroke();
    const text = formatTimeTick(ms, stepMs);
    const { width } = context.measureText(text);
    context.fillStyle = colours('muted');
    context.fillText(text, Math.min(Math.max(0, left - width / 2), view.width - width), 3);
  }
}

function tickStepMs(leastMs: number): number {
  return timeSteps.find((step) => step >= leastMs) ?? Math.ceil(leastMs / 864e5) * 864e5;
}

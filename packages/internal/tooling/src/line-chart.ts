import type { Axis } from './axis.ts';

export interface Series {
  name: string;
  points: readonly (readonly [x: number, y: number])[];
}

export interface LineChart {
  title: string;
  x: Axis;
  y: Axis;
  series: readonly Series[];
}

const width = 920;
const height = 400;
const plot = { left: 70, top: 50, width: 560, height: 280 };
const legendLeft = plot.left + plot.width + 24;

// Okabe and Ito's colours, which people with any kind of colour vision tell apart; dashes for prints without colours.
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00'];
const dashes = ['', '7 3', '2 3', '9 3 2 3', '1 4'];

const style = `
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-size: 16px; font-weight: 600 }
.paper { fill: #ffffff }
.grid { stroke: #d1d9e0; stroke-width: 1 }
.line { fill: none; stroke-width: 2.2; stroke-linejoin: round }
${colours.map((colour, index) => `.c${index} { stroke: ${colour} }`).join('\n')}
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .paper { fill: #0d1117 }
  .grid { stroke: #3d444d }
  .c0 { stroke: #56b4e9 }
}`;

/** A chart as an SVG document that can be read on a light and on a dark page. */
export function lineChart({ title, x, y, series }: LineChart): string {
  const atX = (value: number): number => round(plot.left + x.position(value) * plot.width);
  const atY = (value: number): number => round(plot.top + (1 - y.position(value)) * plot.height);
  const bottom = plot.top + plot.height;
  const right = plot.left + plot.width;
  const middle = plot.top + plot.height / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeText(title)}">`,
    `<style>${style}\n</style>`,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    `<text class="title" x="${plot.left}" y="28">${escapeText(title)}</text>`,
    ...x.ticks.flatMap(({ value, text }) => [
      `<line class="grid" x1="${atX(value)}" x2="${atX(value)}" y1="${plot.top}" y2="${bottom}"/>`,
      `<text x="${atX(value)}" y="${bottom + 20}" text-anchor="middle">${escapeText(text)}</text>`,
    ]),
    ...y.ticks.flatMap(({ value, text }) => [
      `<line class="grid" x1="${plot.left}" x2="${right}" y1="${atY(value)}" y2="${atY(value)}"/>`,
      `<text x="${plot.left - 8}" y="${atY(value) + 4}" text-anchor="end">${escapeText(text)}</text>`,
    ]),
    `<text x="${plot.left + plot.width / 2}" y="${bottom + 46}" text-anchor="middle">${escapeText(x.label)}</text>`,
    `<text transform="translate(18 ${middle}) rotate(-90)" text-anchor="middle">${escapeText(y.label)}</text>`,
    ...series.flatMap(({ name, points }, index) => {
      const look = `class="line c${index % colours.length}" stroke-dasharray="${dashes[index % dashes.length]}"`;
      const legendY = plot.top + 12 + index * 24;
      return [
        `<polyline ${look} points="${points.map(([px, py]) => `${atX(px)},${atY(py)}`).join(' ')}"/>`,
        `<line ${look} x1="${legendLeft}" x2="${legendLeft + 28}" y1="${legendY}" y2="${legendY}"/>`,
        `<text x="${legendLeft + 36}" y="${legendY + 4}">${escapeText(name)}</text>`,
      ];
    }),
    '</svg>',
    '',
  ].join('\n');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

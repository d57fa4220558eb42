import { describe, expect, it } from 'vitest';
import { linearAxis, logAxis } from './axis.ts';
import { lineChart } from './line-chart.ts';

describe('axes', () => {
  it('reach the largest value in round steps', () => {
    const { ticks, position } = linearAxis('', 117);
    expect(ticks.map(({ value }) => value)).toEqual([0, 20, 40, 60, 80, 100, 120]);
    expect(position(60)).toBe(0.5);
    expect(linearAxis('', 1).ticks.map(({ text }) => text)).toEqual(['0', '0.2', '0.4', '0.6', '0.8', '1']);
    expect(linearAxis('', 0).ticks.length).toBeGreaterThan(1);
  });

  it('go by powers of ten', () => {
    const { ticks, position } = logAxis('', { min: 10, max: 25_000 });
    expect(ticks.map(({ value }) => value)).toEqual([10, 100, 1_000, 10_000, 100_000]);
    expect(position(1_000)).toBe(0.5);
    expect([position(0), position(1e9)]).toEqual([0, 1]);
  });
});

describe('lineChart', () => {
  const chart = {
    title: 'a < b & "c"',
    x: linearAxis('seconds', 10),
    y: linearAxis('rollouts', 4),
    series: [
      { name: 'one', points: [[0, 0] as const, [10, 4] as const] },
      { name: 'two', points: [[5, 2] as const] },
    ],
  };

  it('puts points where the axes say', () => {
    const svg = lineChart(chart);
    expect(svg).toContain('points="70,330 630,50"');
    expect(svg).toContain('points="350,190"');
  });

  it('has units, a legend, and colours for light and dark pages', () => {
    const svg = lineChart(chart);
    for (const text of ['>seconds<', '>rollouts<', '>one<', '>two<', 'prefers-color-scheme: dark'])
      expect(svg).toContain(text);
  });

  it('is well-formed whatever a title holds', () => {
    const svg = lineChart(chart);
    expect(svg).toContain('a &lt; b &amp; &quot;c&quot;');
    const tags = [...svg.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>/g)];
    const open: string[] = [];
    for (const [, closing, name, self] of tags) {
      if (closing === '/') expect(open.pop()).toBe(name);
      else if (self !== '/') open.push(name ?? '');
    }
    expect(open).toEqual([]);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { batchProgress } from './batch-progress.fixture.ts';
import { ProgressDisplay, type ProgressOutput } from './progress-display.ts';
import { progressLine } from './progress-line.ts';

describe('progressLine', () => {
  it('shows the start without numbers that mean nothing yet', () => {
    expect(progressLine(batchProgress({ active: 8, submitted: 8 }), 100)).toBe(
      '0/100 done, 0 failed, 8 active, mean reward -, 0.0/s',
    );
  });

  it('shows rate, reward and the time to go', () => {
    const progress = batchProgress({ done: 40, active: 8, meanReward: 0.825, elapsedMs: 10_000 });
    progress.outcomes.ok = 38;
    progress.outcomes.lost = 2;
    expect(progressLine(progress, 100)).toBe(
      '40/100 done, 2 failed, 8 active, mean reward 0.825, 4.0/s, ETA 15.0 s',
    );
  });

  it('has no time to go at the end', () => {
    expect(progressLine(batchProgress({ done: 100, meanReward: 1, elapsedMs: 20_000 }), 100)).toBe(
      '100/100 done, 0 failed, 0 active, mean reward 1.000, 5.0/s',
    );
  });
});

describe('ProgressDisplay', () => {
  let written: string[];
  beforeEach(() => {
    vi.useFakeTimers();
    written = [];
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const output = (isTTY: boolean, columns = 200): ProgressOutput => ({
    isTTY,
    columns,
    write: (text: string) => written.push(text),
  });

  it('rewrites one line on a terminal', () => {
    const display = new ProgressDisplay(10, output(true));
    display.update(batchProgress({ done: 1 }));
    vi.advanceTimersByTime(100);
    display.update(batchProgress({ done: 2 }));
    vi.advanceTimersByTime(100);
    display.close();
    expect(written).toHaveLength(3);
    expect(written[0]).toMatch(/^\r1\/10 done.*\x1b\[K$/);
    expect(written[1]).toMatch(/^\r2\/10 done/);
    expect(written[2]).toBe('\n');
  });

  it('does not wrap on a narrow terminal', () => {
    const display = new ProgressDisplay(10, output(true, 20));
    display.update(batchProgress({ done: 1 }));
    display.close();
    expect(written[0]).toBe('\r1/10 done, 0 failed\x1b[K');
  });

  it('takes a terminal that does not know its width for 80 columns', () => {
    const display = new ProgressDisplay(10, output(true, 0));
    display.update(batchProgress({ done: 4, active: 4, meanReward: 1, elapsedMs: 1_000 }));
    display.close();
    expect(written[0]).toBe('\r4/10 done, 0 failed, 4 active, mean reward 1.000, 4.0/s, ETA 1.5 s\x1b[K');
  });

  it('writes a line every two seconds elsewhere, and only news', () => {
    const display = new ProgressDisplay(10, output(false));
    display.update(batchProgress({ done: 1 }));
    vi.advanceTimersByTime(1_999);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(written).toHaveLength(1);
    vi.advanceTimersByTime(10_000);
    expect(written).toHaveLength(1);
    display.update(batchProgress({ done: 10 }));
    display.close();
    expect(written.at(-1)).toMatch(/^10\/10 done.*\n$/);
  });

  it('leaves no timer, says nothing where nothing happened, and closes twice', () => {
    const display = new ProgressDisplay(10, output(false));
    display.close();
    display.close();
    expect(vi.getTimerCount()).toBe(0);
    expect(written).toEqual([]);
  });
});

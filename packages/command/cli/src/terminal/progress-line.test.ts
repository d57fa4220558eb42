import { describe, expect, it } from 'vitest';
import { formatBytes } from './format-bytes.ts';
import { formatTable } from './format-table.ts';
import { ProgressLine } from './progress-line.ts';

function lineOn(isTTY: boolean) {
  const written: string[] = [];
  const clock = { now: 0 };
  const stream = { isTTY, write: (text: string) => written.push(text) };
  return { line: new ProgressLine(stream, () => clock.now), written, clock };
}

describe('ProgressLine', () => {
  it('draws over itself on a terminal, at a bounded rate, and goes away', () => {
    const { line, written, clock } = lineOn(true);
    line.show('1');
    line.show('2');
    clock.now = 100;
    line.show('3');
    line.note('said');
    line.clear();
    line.clear();
    expect(written).toEqual([
      '\r\u001B[K1',
      '\r\u001B[K3',
      '\r\u001B[K',
      'said\n',
      '\r\u001B[K3',
      '\r\u001B[K',
    ]);
  });

  it('is a line now and then in a log, and none for short work', () => {
    const { line, written, clock } = lineOn(false);
    line.show('1');
    clock.now = 9_999;
    line.show('2');
    line.note('said');
    expect(written).toEqual(['said\n']);
    clock.now = 10_000;
    line.show('3');
    line.show('4');
    line.clear();
    expect(written).toEqual(['said\n', '3\n']);
  });
});

describe('formatTable', () => {
  it('is as wide as it must be', () => {
    const columns = [{ title: 'A' }, { title: 'COUNT', align: 'right' as const }, { title: 'B' }];
    expect(
      formatTable(columns, [
        ['long', '7', ''],
        ['x', '123456', 'y'],
      ]),
    ).toBe('A      COUNT  B\nlong       7\nx     123456  y\n');
  });
});

describe('formatBytes', () => {
  it('has three digits or so', () => {
    expect([0, 999, 1_000, 1_250_000, 123_456_789, 5e12, 5e15].map(formatBytes)).toEqual([
      '0 B',
      '999 B',
      '1.0 kB',
      '1.3 MB',
      '123 MB',
      '5.0 TB',
      '5000 TB',
    ]);
  });
});

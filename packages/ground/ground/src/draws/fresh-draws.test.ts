import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { freshBytes } from './fresh-bytes.ts';
import { freshId } from './fresh-id.ts';
import { freshNumber } from './fresh-number.ts';

describe('draws that are fresh', () => {
  it('ids are UUIDs of version 4, all different', () => {
    const ids = Array.from({ length: 1_000 }, freshId);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(1_000);
  });

  it('numbers are from 0 to below 1, evenly', () => {
    const numbers = Array.from({ length: 20_000 }, freshNumber);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    for (let tenth = 0; tenth < 10; tenth += 1) {
      // 2,000 are expected in each; ten standard deviations are 424.
      const within = numbers.filter((number) => Math.floor(number * 10) === tenth).length;
      expect(Math.abs(within - 2_000)).toBeLessThan(424);
    }
  });

  it('bytes are as many as were asked for', () => {
    expect([0, 1, 16, 100_000].map((size) => freshBytes(size).length)).toEqual([0, 1, 16, 100_000]);
  });

  it('differ by the session even where the kernel gives the same, and the first session counts', () => {
    const draw = (...sessions: string[]): string => {
      const program = `
        import fs from 'node:fs';
        import { syncBuiltinESMExports } from 'node:module';
        const { freshBytes, freshId, mixIntoDraws } = await import(${JSON.stringify(import.meta.resolve('../index.ts'))});
        fs.readSync = (_descriptor, view) => view.fill(7).length;
        syncBuiltinESMExports();
        for (const id of ${JSON.stringify(sessions)}) mixIntoDraws(id);
        console.log(freshId(), freshBytes(40).toString('hex'));`;
      const argv = ['--conditions=@art/source', '--input-type=module', '-e', program];
      return execFileSync(process.execPath, argv, { encoding: 'utf8' });
    };
    expect(draw()).toContain('07070707-0707-4707-8707-070707070707');
    expect(draw('a')).not.toBe(draw('b'));
    expect(draw('a', 'b')).toBe(draw('a'));
  });
});

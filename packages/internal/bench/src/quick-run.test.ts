import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseBenchOptions } from './bench-options.ts';
import { runBenchmarks } from './run-benchmarks.ts';
import { writeReport } from './report/write-report.ts';
import type { BenchReport } from './report/bench-report.ts';

const names = ['step', 'overhead', 'faults', 'server'];

it('the benchmarks run, and their report holds what was measured', async () => {
  const options = parseBenchOptions([...names, '--quick', '--baseline-limit', 'none']);
  if (options === 'help') throw new Error('unreachable: help was not asked for');
  const lines: string[] = [];
  const report = await runBenchmarks(options, { log: (line) => lines.push(line) });
  expect(lines.length).toBeGreaterThan(names.length);

  const byName = new Map(
    report.results.flatMap((result) =>
      result.kind === 'clients' ? [[result.scenario.name, result.runs] as const] : [],
    ),
  );
  const step = byName.get('step')?.[0];
  expect(step).toMatchObject({ client: 'art', outcomes: { ok: 48 }, unread: 0, liveSessionsLeft: 0 });
  expect(step?.counts).toMatchObject({ invoke: 48, invokeRepeated: 0, stop: 48 });
  // A read that takes too long on a busy machine is tried again.
  expect(step?.counts.get).toBeGreaterThanOrEqual(48);
  expect(step?.lag?.p50).toBeGreaterThan(0);
  expect(step?.wallMs).toBeGreaterThanOrEqual(step?.clairvoyantMs ?? Infinity);
  expect(byName.get('overhead')?.map(({ client }) => client)).toEqual(['art', 'bare_sdk', 'art_journal']);
  const faults = byName.get('faults')?.[0];
  expect(faults?.counts.storeError).toBeGreaterThan(0);
  expect(faults?.unread).toBe(0);
  const server = report.results.find((result) => result.kind === 'server');
  for (const run of server?.runs ?? []) expect(run).toMatchObject({ accepted: 500, stored: 500 });
  expect(server?.runs).toHaveLength(2);

  const directory = await mkdtemp(join(tmpdir(), 'art-bench-'));
  try {
    const markdown = await writeReport(report, directory);
    expect(markdown).toContain('Quick run');
    const files = await readdir(directory);
    expect(files).toEqual(
      expect.arrayContaining(['report.json', 'report.md', 'step-lag.svg', 'step-outstanding.svg']),
    );
    for (const [, picture] of markdown.matchAll(/!\[.*?\]\((.*?)\)/g)) expect(files).toContain(picture);
    const stored = JSON.parse(await readFile(join(directory, 'report.json'), 'utf8')) as BenchReport;
    expect(stored.machine.versions['node']).toBe(process.version);
    expect(stored.results).toHaveLength(names.length);
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  }
});

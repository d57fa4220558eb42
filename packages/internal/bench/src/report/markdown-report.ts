import { gatewaySection } from './gateway-section.ts';
import type { BenchReport } from './bench-report.ts';
import { clientSection } from './client-section.ts';
import { serverSection } from './server-section.ts';

/** A report for people. @param pictures which files the plots of a benchmark are in */
export function markdownReport(report: BenchReport, pictures: (name: string) => readonly string[]): string {
  const { machine, seed, startedAt, isQuick, notes, results } = report;
  return [
    '# Benchmarks',
    ...(isQuick ? ['**Quick run: it shows that the benchmarks work; its numbers mean nothing.**'] : []),
    [
      `${startedAt}, seed ${seed}. ${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.system}.`,
      Object.entries(machine.versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(', '),
    ].join(' '),
    'Everything but CPU and memory is measured at the endpoint. Detection lag runs from the instant at which a result can be read to the arrival of the first read that finds it. Clairvoyant is when a client that knew every completion instant would have finished under the same limits; "last result" is the same with the submissions of the client itself. Cost is in HEADs: a LIST costs 12.5.',
    ...notes.map((note) => `- ${note}`),
    ...results.flatMap((result) => section(result, pictures)),
    '',
  ].join('\n\n');
}

function section(
  result: BenchReport['results'][number],
  pictures: (name: string) => readonly string[],
): string[] {
  switch (result.kind) {
    case 'clients':
      return clientSection(result, pictures(result.scenario.name));
    case 'server':
      return serverSection(result.runs, result.targets);
    case 'gateway':
      return gatewaySection(result.run, result.targets);
  }
}

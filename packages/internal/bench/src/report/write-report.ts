import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lagPlot } from '../plot/lag-plot.ts';
import { outstandingPlot } from '../plot/outstanding-plot.ts';
import type { BenchReport } from './bench-report.ts';
import { markdownReport } from './markdown-report.ts';

/** Writes `report.json`, `report.md` and the plots. @returns the Markdown */
export async function writeReport(report: BenchReport, directory: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  const pictures = new Map<string, string[]>();
  for (const result of report.results) {
    if (result.kind !== 'clients') continue;
    const { scenario, runs } = result;
    const plots = { lag: lagPlot(scenario.title, runs), outstanding: outstandingPlot(scenario.title, runs) };
    const files: string[] = [];
    for (const [kind, svg] of Object.entries(plots)) {
      if (svg === undefined) continue;
      const file = `${scenario.name}-${kind}.svg`;
      await writeFile(join(directory, file), svg);
      files.push(file);
    }
    pictures.set(scenario.name, files);
  }
  const markdown = markdownReport(report, (name) => pictures.get(name) ?? []);
  await writeFile(join(directory, 'report.json'), `${JSON.stringify(report, undefined, 2)}\n`);
  await writeFile(join(directory, 'report.md'), markdown);
  return markdown;
}

import { blockName, type ExportedIndex } from '../../report/exported-data.ts';
import type { GroupRow } from '../../report/group-row.ts';
import type { RunHealthReport } from '../../report/run-health.ts';
import type { ShownTrainingStep } from '../../report/run-info.ts';
import type { SampleDetail } from '../../report/sample-detail.ts';
import { type PackedRows, unpackRows } from '../../report/sample-row.ts';
import { says } from '../../report/transcript-texts.ts';
import type { DataSource } from './data-source.ts';

/** Source of the data in the file itself. Undefined in a page that was served. */
export function exportedSource(): DataSource | undefined {
  const name = blockName.index;
  if (findBlock(name) === null) return undefined;
  const index = readBlock<ExportedIndex>(name);
  return {
    isServed: false,
    annotate: undefined,
    runs: async () => (await index).runs,
    rows: async (run, from) => {
      if (from > 0) return [];
      return unpackRows(await readBlock<PackedRows>(blockName.rows(run)));
    },
    steps: async (run, from) => (from > 0 ? [] : readBlock<ShownTrainingStep[]>(blockName.steps(run))),
    groups: async (run, from) => (from > 0 ? [] : readBlock<GroupRow[]>(blockName.groups(run))),
    health: (run) => readBlock<RunHealthReport | null>(blockName.health(run)),
    detail: async (run, at) => {
      const first = (await index).details[run]?.findLast((candidate) => candidate <= at);
      const details =
        first === undefined ? [] : await readBlock<SampleDetail[]>(blockName.details(run, first));
      const detail = details[at - (first ?? 0)];
      if (detail === undefined) throw new Error('This file has no such sample.');
      return detail;
    },
    said: async (run, text, from) => {
      const firsts = (await index).details[run] ?? [];
      const first = firsts.find((candidate) => candidate >= from);
      if (first === undefined) return { found: [], next: null };
      const details = await readBlock<SampleDetail[]>(blockName.details(run, first));
      const found = details.flatMap(({ transcript }, at) =>
        transcript !== null && says(transcript, text) ? [first + at] : [],
      );
      return { found, next: first + details.length };
    },
  };
}

function findBlock(name: string): Element | null {
  return document.querySelector(`script[data-name="${name}"]`);
}

async function readBlock<Value>(name: string): Promise<Value> {
  const text = findBlock(name)?.textContent;
  if (text == null) throw new Error(`This file has lost a part of it: ${name}.`);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(unpacked).json()) as Value;
}

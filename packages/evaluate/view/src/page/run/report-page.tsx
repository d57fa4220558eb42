import type { JSX } from 'preact';
import type { ReportInfo } from '../../report/run-info.ts';
import type { RunData } from '../data/run-data.ts';
import { hrefOf } from '../shell/route.ts';
import { oneLine } from '../text/marked-text.ts';
import { ReportTables } from './report-tables.tsx';

/** A matrix or an audit. */
export function ReportPage({ info, runs }: { info: ReportInfo; runs: readonly RunData[] }): JSX.Element {
  const { title, lines, tables, folders, isLive } = info;
  const hrefs = folders.map((folder) => {
    const run = runs.findIndex((one) => one.info.folder === folder);
    return run === -1 ? undefined : hrefOf({ page: 'run', run });
  });
  return (
    <main class="report-page">
      <div class="run-head">
        <h1>
          <bdi>{oneLine(title)}</bdi>
        </h1>
      </div>
      {isLive && tables.length === 0 && <p class="loading">Reading the run…</p>}
      {lines.map((line, at) => (
        <p key={at}>
          <bdi>{oneLine(line)}</bdi>
        </p>
      ))}
      <ReportTables tables={tables} hrefs={hrefs} />
    </main>
  );
}

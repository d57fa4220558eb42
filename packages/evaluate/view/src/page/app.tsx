import type { JSX } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SampleRow } from '../report/sample-row.ts';
import { ComparePage } from './compare/compare-page.tsx';
import { firstPair } from './compare/first-pair.ts';
import { PairPage } from './compare/pair-page.tsx';
import type { DataSource } from './data/data-source.ts';
import { isAwaited } from './data/run-data.ts';
import { useRuns } from './data/use-runs.ts';
import { GroupsPage } from './groups/groups-page.tsx';
import { useHealth } from './health/use-health.ts';
import { ReportPage } from './run/report-page.tsx';
import { RunPage } from './run/run-page.tsx';
import { SamplePage } from './sample/sample-page.tsx';
import { SamplesPage } from './table/samples-page.tsx';
import { TrainingPage } from './training/training-page.tsx';
import { Guarded } from './shell/guarded.tsx';
import { Header } from './shell/header.tsx';
import { HelpDialog } from './shell/help-dialog.tsx';
import { runOf, useRoute } from './shell/route.ts';
import { useKeys } from './shell/use-keys.ts';

export function App({ source }: { source: DataSource }): JSX.Element {
  const { runs, trouble } = useRuns(source);
  const route = useRoute();
  const help = useRef<HTMLDialogElement>(null);
  // What the table shows, so that a sample's page can step to the next one of it.
  const [shown, setShown] = useState<readonly SampleRow[]>();
  const onShown = useCallback((rows: readonly SampleRow[]) => setShown(rows), []);
  const pair = firstPair(runs ?? []);
  useKeys(route, pair, () => help.current?.showModal());
  // The sample that was looked at last, which the table marks when one comes back to it.
  const lastAt = useRef<number | undefined>(undefined);
  if (route.page === 'sample') lastAt.current = route.at;
  const place = route.page === 'samples' ? 'samples' : location.hash;
  useLayoutEffect(() => scrollTo(0, 0), [place]);
  const run = runOf(route);
  const isOfTwo = route.page === 'compare' || route.page === 'pair';
  const data = runs?.[run];
  const needed = route.page === 'compare' ? [runs?.[route.before], runs?.[route.after]] : [data];
  const isLoading = runs === undefined || needed.some((it) => it !== undefined && isAwaited(it));
  const health = useHealth(source, run, data?.info);
  const title = data?.info.title;
  useEffect(() => {
    document.title = title === undefined ? 'art view' : `${title} · art view`;
  }, [title]);
  return (
    <>
      <Header runs={runs ?? []} route={route} pair={pair} onHelp={() => help.current?.showModal()} />
      {trouble !== null && (
        <p class="trouble" role="alert">
          {trouble}
        </p>
      )}
      {isLoading && trouble === null && <p class="loading">Reading the run…</p>}
      <Guarded key={place}>
        {runs !== undefined && !isOfTwo && data === undefined && (
          <main>
            <p class="empty">There is no such run here.</p>
          </main>
        )}
        {runs !== undefined && !isLoading && route.page === 'compare' && (
          <ComparePage
            runs={runs}
            before={route.before}
            after={route.after}
            key={`${route.before}-${route.after}`}
          />
        )}
        {runs !== undefined && route.page === 'pair' && (
          <PairPage source={source} runs={runs} route={route} />
        )}
        {data !== undefined && !isLoading && route.page === 'run' && data.info.kind === 'training' && (
          <TrainingPage run={run} data={data} health={health} />
        )}
        {data !== undefined && route.page === 'run' && data.info.kind === 'report' && (
          <ReportPage info={data.info} runs={runs ?? []} />
        )}
        {data !== undefined && !isLoading && route.page === 'run' && data.info.kind === 'groups' && (
          <GroupsPage run={run} data={data} health={health} />
        )}
        {data !== undefined && !isLoading && route.page === 'run' && data.info.kind === 'evaluation' && (
          <RunPage run={run} data={data} info={data.info} health={health} />
        )}
        {data !== undefined && !isLoading && route.page === 'samples' && (
          <SamplesPage
            source={source}
            run={run}
            data={data}
            health={health}
            query={route.query}
            sort={route.sort}
            onShown={onShown}
            lastAt={lastAt.current}
          />
        )}
        {data !== undefined && !isLoading && route.page === 'sample' && (
          <SamplePage
            source={source}
            run={run}
            at={route.at}
            rows={shown ?? data.rows}
            info={data.info}
            key={`${run}-${route.at}`}
          />
        )}
      </Guarded>
      <HelpDialog dialog={help} />
    </>
  );
}

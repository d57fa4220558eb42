import type { JSX } from 'preact';
import type { RunData } from '../data/run-data.ts';
import { oneLine } from '../text/marked-text.ts';
import { goTo, hrefOf, type Route, runOf } from './route.ts';
import { ThemeButton } from './theme-button.tsx';

export interface HeaderProps {
  runs: readonly RunData[];
  route: Route;
  /** Pair that is compared first; undefined where there are no two runs. */
  pair: Route | undefined;
  onHelp: () => void;
}

export function Header({ runs, route, pair, onHelp }: HeaderProps): JSX.Element {
  const run = runOf(route);
  const isOfTwo = route.page === 'compare' || route.page === 'pair';
  const kind = runs[run]?.info.kind;
  return (
    <header>
      <span class="brand">
        <span class="logo" aria-hidden="true" />
        <span class="brand-name">art view</span>
      </span>
      {runs.length > 1 && !isOfTwo && (
        <select
          aria-label="Run"
          value={run}
          onChange={({ currentTarget }) => goTo(sameOf(route, Number(currentTarget.value), runs))}
        >
          {runs.map(({ info }, number) => (
            <option key={number} value={number}>
              {oneLine(info.title)}
            </option>
          ))}
        </select>
      )}
      <nav aria-label="Pages">
        <a href={hrefOf({ page: 'run', run })} aria-current={currentIf(route.page === 'run')}>
          {pageNames[kind ?? 'evaluation']}
        </a>
        {(kind === undefined || kind === 'evaluation') && (
          <a
            href={hrefOf({ page: 'samples', run, query: '', sort: '' })}
            aria-current={currentIf(route.page === 'samples' || route.page === 'sample')}
          >
            Samples
          </a>
        )}
        {pair !== undefined && (
          <a href={hrefOf(pair)} aria-current={currentIf(isOfTwo)}>
            Compare
          </a>
        )}
      </nav>
      <span class="header-end">
        <ThemeButton />
        <button
          type="button"
          class="icon"
          onClick={onHelp}
          aria-label="Keys and filters"
          title="Keys and filters"
        >
          ?
        </button>
      </span>
    </header>
  );
}

const pageNames = { evaluation: 'Run', training: 'Training', groups: 'Groups', report: 'Report' } as const;

function currentIf(isCurrent: boolean): 'page' | undefined {
  return isCurrent ? 'page' : undefined;
}

function sameOf(route: Route, run: number, runs: readonly RunData[]): Route {
  if (route.page === 'samples' && runs[run]?.info.kind === 'evaluation') return { ...route, run };
  return { page: 'run', run };
}

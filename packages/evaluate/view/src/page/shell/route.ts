import { useLayoutEffect, useState } from 'preact/hooks';

/** Page that the address names. Runs and samples go by their position. */
export type Route =
  | { page: 'run'; run: number }
  | { page: 'samples'; run: number; query: string; sort: string }
  | { page: 'sample'; run: number; at: number }
  | { page: 'compare'; before: number; after: number }
  | { page: 'pair'; before: number; after: number; beforeAt: number; afterAt: number };

function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#/, '').split('?', 2);
  const [, page, first, second, third, fourth] = path.split('/');
  if (page === 'samples') {
    const parameters = new URLSearchParams(search);
    return {
      page,
      run: numberOf(first),
      query: parameters.get('q') ?? '',
      sort: parameters.get('sort') ?? '',
    };
  }
  if (page === 'sample') return { page, run: numberOf(first), at: numberOf(second) };
  if (page === 'compare') return { page, before: numberOf(first), after: numberOf(second ?? '1') };
  if (page === 'pair') {
    const [before, after] = [numberOf(first), numberOf(second)];
    return { page, before, after, beforeAt: numberOf(third), afterAt: numberOf(fourth) };
  }
  return { page: 'run', run: numberOf(first) };
}

function numberOf(text: string | undefined): number {
  const value = Number(text ?? 0);
  return Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

export function hrefOf(route: Route): string {
  if (route.page === 'compare') return `#/compare/${route.before}/${route.after}`;
  if (route.page === 'pair')
    return `#/pair/${route.before}/${route.after}/${route.beforeAt}/${route.afterAt}`;
  if (route.page === 'sample') return `#/sample/${route.run}/${route.at}`;
  if (route.page === 'samples' && (route.query !== '' || route.sort !== '')) {
    const { query, sort } = route;
    const parameters = { ...(query !== '' && { q: query }), ...(sort !== '' && { sort }) };
    return `#/samples/${route.run}?${new URLSearchParams(parameters).toString()}`;
  }
  return `#/${route.page}/${route.run}`;
}

/** The run that a page is about; of two the later one. */
export function runOf(route: Route): number {
  return route.page === 'compare' || route.page === 'pair' ? route.after : route.run;
}

export function goTo(route: Route): void {
  location.hash = hrefOf(route);
}

/** The same page told otherwise: the way back leads past it. */
export function replaceRoute(route: Route): void {
  history.replaceState(null, '', hrefOf(route));
  dispatchEvent(new HashChangeEvent('hashchange'));
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  // Before anything is drawn: a change of the address that came sooner would be missed.
  useLayoutEffect(() => {
    const listen = (): void => setHash(location.hash);
    addEventListener('hashchange', listen);
    return () => removeEventListener('hashchange', listen);
  }, []);
  return parseRoute(hash);
}

import { useLayoutEffect } from 'preact/hooks';
import { goTo, type Route, runOf } from './route.ts';

/**
 * Keys that work everywhere; in a field they are letters.
 * @param pair The two runs that are compared first; undefined where there are none
 */
export function useKeys(route: Route, pair: Route | undefined, onHelp: () => void): void {
  // What is in sight can be acted on, so its keys are heard before it is drawn.
  useLayoutEffect(() => {
    const run = runOf(route);
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const { target } = event;
      if (isField(target)) {
        if (event.key === 'Escape') target.blur();
        return;
      }
      if (event.key === '?') onHelp();
      else if (event.key === '1') goTo({ page: 'run', run });
      else if (event.key === '2') goTo({ page: 'samples', run, query: '', sort: '' });
      else if (event.key === '3' && pair !== undefined) goTo(pair);
      else if (event.key === '/') {
        if (document.querySelector('#search') === null && route.page !== 'samples') {
          // The field comes with the page of samples, which is drawn when the address has changed.
          addEventListener('hashchange', () => setTimeout(focusSearch), { once: true });
          goTo({ page: 'samples', run, query: '', sort: '' });
        } else focusSearch();
      } else return;
      event.preventDefault();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [route, pair, onHelp]);
}

/** True if a key that is pressed there is a letter. */
export function isField(target: EventTarget | null): target is HTMLElement {
  return [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement].some((kind) => target instanceof kind);
}

function focusSearch(): void {
  document.querySelector<HTMLElement>('#search')?.focus();
}

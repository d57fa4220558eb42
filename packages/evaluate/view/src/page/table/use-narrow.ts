import { useLayoutEffect, useState } from 'preact/hooks';

const query = '(max-width: 760px)';

/** True if the window is too narrow for a table; the style has the same bound. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(query).matches);
  useLayoutEffect(() => {
    const list = matchMedia(query);
    const listen = (): void => setNarrow(list.matches);
    list.addEventListener('change', listen);
    return () => list.removeEventListener('change', listen);
  }, []);
  return isNarrow;
}

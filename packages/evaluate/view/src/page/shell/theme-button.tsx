import type { JSX } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];
const place = 'art-view-theme';

/** Light, dark, or as the system has it. */
export function ThemeButton(): JSX.Element {
  const [theme, setTheme] = useState<Theme>(remembered);
  useLayoutEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    try {
      localStorage.setItem(place, theme);
    } catch {
      // A file that is opened without a server may have no storage; the choice then holds until it is closed.
    }
    dispatchEvent(new Event('themechange'));
  }, [theme]);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length]!;
  return (
    <button type="button" class="icon theme" onClick={() => setTheme(next)} title={`Colours: ${theme}`}>
      <span aria-hidden="true">{theme === 'system' ? '◐' : theme === 'light' ? '☀' : '☾'}</span>
      <span class="unseen">
        Colours: {theme}. Change to {next}
      </span>
    </button>
  );
}

function remembered(): Theme {
  try {
    const known = localStorage.getItem(place);
    return themes.find((theme) => theme === known) ?? 'system';
  } catch {
    return 'system';
  }
}

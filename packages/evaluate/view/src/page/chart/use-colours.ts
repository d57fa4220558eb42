import { useLayoutEffect, useState } from 'preact/hooks';

/** Colours of the style by their names, without dashes; others where the theme changes. */
export type Colours = (name: string) => string;

export function useColours(): Colours {
  const [colours, setColours] = useState<Colours>(() => read());
  useLayoutEffect(() => {
    const listen = (): void => setColours(() => read());
    const list = matchMedia('(prefers-color-scheme: dark)');
    list.addEventListener('change', listen);
    addEventListener('themechange', listen);
    return () => {
      list.removeEventListener('change', listen);
      removeEventListener('themechange', listen);
    };
  }, []);
  return colours;
}

function read(): Colours {
  const known = new Map<string, string>();
  return (name) => {
    const colour = known.get(name) ?? colourNow(name);
    known.set(name, colour);
    return colour;
  };
}

/** A canvas knows neither variables nor themes: an element says which colour it is. */
function colourNow(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

import type { ComponentChildren, JSX } from 'preact';

interface FigureProps {
  name: string;
  note?: string;
  children: ComponentChildren;
}

/** One of the figures at the head of a page. */
export function Figure({ name, note, children }: FigureProps): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {/* The blank is for who hears or copies it. */}
        <span class="value">{children}</span> {note !== undefined && <span class="note">{note}</span>}
      </dd>
    </div>
  );
}

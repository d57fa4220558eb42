import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { rowWindow, scrollHeightOf, scrollTopFor } from './row-window.ts';
import { useSize } from './use-size.ts';

export interface VirtualRowsProps {
  class: string;
  label: string;
  role?: 'rowgroup' | undefined;
  count: number;
  rowHeight: number;
  /** Height of the box; without it, as its parent gives. */
  height?: number | undefined;
  /** Row that is to be in sight. */
  active?: number | undefined;
  row: (at: number) => ComponentChildren;
  onKeyDown?: ((event: KeyboardEvent) => void) | undefined;
}

/**
 * A box that scrolls through any number of rows of one height. What is in sight stays put while the box scrolls and is redrawn in
 * its place, so that rows may come a frame late but there is never a hole.
 */
export function VirtualRows(props: VirtualRowsProps): JSX.Element {
  const { count, rowHeight, height: givenHeight, active, row } = props;
  const box = useRef<HTMLDivElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const { height } = useSize(box);
  const { first, last, offset } = rowWindow(count, rowHeight, height, scrollTop);
  useLayoutEffect(() => {
    const { current } = box;
    if (active === undefined || current === null || height === 0) return;
    current.scrollTop = scrollTopFor(active, count, rowHeight, height, current.scrollTop);
  }, [active, count, rowHeight, height]);
  const rows: ComponentChildren[] = [];
  for (let at = first; at < last; at += 1) rows.push(row(at));
  return (
    <div
      ref={box}
      class={`virtual ${props.class}`}
      role={props.role ?? 'group'}
      aria-label={props.label}
      tabIndex={0}
      style={givenHeight === undefined ? {} : { height: `${givenHeight}px` }}
      onScroll={({ currentTarget }) => setScrollTop(currentTarget.scrollTop)}
      onKeyDown={props.onKeyDown}
    >
      <div class="virtual-space" style={{ height: `${scrollHeightOf(count, rowHeight)}px` }}>
        <div class="virtual-sight" style={{ height: `${Math.min(height, count * rowHeight)}px` }}>
          <div style={{ transform: `translateY(${-offset}px)` }}>{rows}</div>
        </div>
      </div>
    </div>
  );
}

import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useColours } from '../chart/use-colours.ts';
import { goTo } from '../shell/route.ts';
import { scrollTopFor } from '../scroll/row-window.ts';
import { useSize } from '../scroll/use-size.ts';
import { formatDuration } from '../text/format.ts';
import { oneLine } from '../text/marked-text.ts';
import { axisHeight, drawTimeline } from './draw-timeline.ts';
import { mostTelling, type TimelineLine } from './timeline-bars.ts';

const mostHeight = 336;
const readableLine = 12;

const legend = [
  ['waiting', 'waiting to be accepted'],
  ['working', 'at work until the result is stored'],
  ['noticing', 'stored, not noticed yet'],
  ['stopping', 'until the session is stopped'],
  ['lost', 'attempt that was tried again'],
] as const;

/** Every session of a run over time. Arrow keys walk from session to session, Enter opens one. */
export function Timeline({ run, lines }: { run: number; lines: readonly TimelineLine[] }): JSX.Element {
  const [isWhole, setWhole] = useState(true);
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width } = useSize(box);
  const colours = useColours();
  const [scrollTop, setScrollTop] = useState(0);
  // By its name: while a run continues its lines are made anew each second.
  const [markedName, setMarked] = useState<string>();
  const markedAt = useMemo(() => lines.findIndex(({ name }) => name === markedName), [lines, markedName]);
  const marked = lines[markedAt];
  const room = mostHeight - axisHeight;
  const hasRoom = lines.length * readableLine <= room;
  const drawn = useMemo(() => (isWhole ? mostTelling(lines, room) : lines), [lines, isWhole, room]);
  const lineHeight = hasRoom || !isWhole ? readableLine : room / drawn.length;
  const height = Math.min(mostHeight, axisHeight + Math.ceil(drawn.length * lineHeight) + 4);
  const toMs = useMemo(() => lines.reduce((most, line) => Math.max(most, line.toMs), 1), [lines]);
  useLayoutEffect(() => {
    if (canvas.current === null || width === 0) return;
    const first = Math.floor(scrollTop / lineHeight);
    const sight = drawn.slice(first, first + Math.ceil(height / lineHeight) + 1);
    const offset = scrollTop - first * lineHeight;
    drawTimeline(
      canvas.current,
      sight,
      { width, height, lineHeight, offset, fromMs: 0, toMs, marked },
      colours,
    );
  }, [drawn, width, height, lineHeight, scrollTop, toMs, marked, colours]);
  const lineAt = ({ clientY, currentTarget }: MouseEvent): TimelineLine | undefined => {
    const y = clientY - (currentTarget as HTMLElement).getBoundingClientRect().top - axisHeight + scrollTop;
    return y < 0 ? undefined : drawn[Math.floor(y / lineHeight)];
  };
  const open = (line: TimelineLine | undefined): void => {
    if (line?.at !== undefined) goTo({ page: 'sample', run, at: line.at });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') open(marked);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const at = marked === undefined ? -1 : drawn.indexOf(marked);
      const next = Math.max(0, Math.min(drawn.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1)));
      setMarked(drawn[next]?.name);
      const { current } = box;
      if (current !== null)
        current.scrollTop = scrollTopFor(
          next,
          drawn.length,
          lineHeight,
          height - axisHeight,
          current.scrollTop,
        );
    } else return;
    event.preventDefault();
  };
  return (
    <section class="panel timeline" aria-labelledby="timeline-title">
      <div class="panel-head">
        <h2 id="timeline-title">Sessions over time</h2>
        {!hasRoom && (
          <button type="button" class="small" aria-pressed={!isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show every session' : 'Show the whole run'}
          </button>
        )}
      </div>
      <p class="legend">
        {legend.map(([phase, meaning]) => (
          <span key={phase}>
            <span class="key" style={{ background: `var(--t-${phase})` }} aria-hidden="true" />
            {meaning}
          </span>
        ))}
        <span>
          <span class="key is-end" aria-hidden="true" />
          failed
        </span>
        <span>
          <span class="key is-diamond" aria-hidden="true" />
          throttled
        </span>
      </p>
      <div
        class="timeline-box"
        ref={box}
        tabIndex={0}
        role="group"
        aria-label={`Timeline of ${lines.length} sessions. Arrow keys walk through them, Enter opens one.`}
        style={{ height: `${height}px` }}
        onScroll={({ currentTarget }) => setScrollTop(currentTarget.scrollTop)}
        onKeyDown={onKeyDown}
        onClick={(event) => open(lineAt(event))}
        onMouseMove={(event) => setMarked(lineAt(event)?.name)}
        onMouseLeave={() => setMarked(undefined)}
      >
        <div style={{ height: `${isWhole ? height : axisHeight + drawn.length * lineHeight + 4}px` }}>
          <canvas ref={canvas} style={{ width: `${width}px`, height: `${height}px` }} />
        </div>
      </div>
      <p class="timeline-told" role="status">
        {marked === undefined ? ' ' : <LineInWords line={marked} />}
      </p>
      {isWhole && drawn.length < lines.length && (
        <p class="note">
          Each line stands for {Math.ceil(lines.length / drawn.length)} sessions and shows the most telling
          one: failed, a straggler, tried again, or the longest.
        </p>
      )}
    </section>
  );
}

const phaseNames = {
  waiting: 'waited',
  working: 'worked',
  noticing: 'not noticed for',
  stopping: 'stopped after',
};

function LineInWords({ line }: { line: TimelineLine }): JSX.Element {
  const told = line.bars.flatMap(({ phase, fromMs, toMs }) =>
    phase === 'lost' ? [] : [`${phaseNames[phase]} ${formatDuration(toMs - fromMs)}`],
  );
  const notes = [
    line.at === undefined ? 'under way' : '',
    line.hasFailed ? 'failed' : '',
    line.isStraggler ? 'straggler' : '',
    line.retries > 0 ? `${line.retries + 1} attempts` : '',
    line.throttledMs.length > 0 ? 'throttled' : '',
  ].filter((note) => note !== '');
  return (
    <>
      <b>
        <bdi>{oneLine(line.name)}</bdi>
      </b>{' '}
      began at {formatDuration(line.fromMs)}, {told.join(', ')}
      {notes.length > 0 && ` · ${notes.join(', ')}`}
    </>
  );
}

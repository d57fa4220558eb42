import type { JSX } from 'preact';
import { useContext, useMemo, useRef, useState } from 'preact/hooks';
import { useSize } from '../scroll/use-size.ts';
import { VirtualRows } from '../scroll/virtual-rows.tsx';
import { CopyButton } from './copy-button.tsx';
import { Find, findPattern } from './find.ts';
import { Marked } from './marked.tsx';
import { formatCount } from './format.ts';
import { textLines } from './text-lines.ts';

const lineHeight = 20;
const mostHeight = 480;
/** Width of a character of the fixed-width font at 13 pixels, and of the column of numbers with its margins. */
const characterWidth = 7.9;
const gutterWidth = 84;

/** A text of any length, of which only the lines in sight are in the page. */
export function LongText({ text, label }: { text: string; label: string }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const { width } = useSize(box);
  const columns = Math.max(20, Math.floor((width - gutterWidth) / characterWidth));
  const lines = useMemo(() => textLines(text, columns), [text, columns]);
  const wanted = useContext(Find);
  const matches = useMemo(() => offsetsOf(text, wanted), [text, wanted]);
  const [chosen, setChosen] = useState({ wanted, match: 0 });
  const match = chosen.wanted === wanted ? chosen.match : 0;
  const step = (by: number): void =>
    setChosen({ wanted, match: (match + by + matches.length) % matches.length });
  return (
    <div class="long-text" ref={box}>
      <div class="long-text-head">
        <span>
          {formatCount(text.length)} characters, {formatCount(lines.line(lines.count - 1).number)} lines
        </span>
        {matches.length > 0 && (
          <span class="matches">
            <span role="status">
              match {formatCount(match + 1)} of {formatCount(matches.length)}
            </span>
            <button type="button" class="small" onClick={() => step(-1)}>
              Previous
            </button>
            <button type="button" class="small" onClick={() => step(1)}>
              Next
            </button>
          </span>
        )}
        <CopyButton text={text} label="Copy all" />
      </div>
      <VirtualRows
        class="lines"
        label={label}
        count={lines.count}
        rowHeight={lineHeight}
        active={matches.length === 0 ? undefined : lines.lineOf(matches[match]!)}
        height={Math.min(mostHeight, lines.count * lineHeight + 8)}
        row={(at) => {
          const { text: line, number, isContinued } = lines.line(at);
          return (
            <div class="line" key={at}>
              <span class="line-number" aria-hidden="true">
                {isContinued ? '↳' : number}
              </span>
              <bdi class="line-text">
                <Marked text={line} />
              </bdi>
            </div>
          );
        }}
      />
    </div>
  );
}

/** More matches than anybody steps through. */
const mostMatches = 10_000;

function offsetsOf(text: string, wanted: string): number[] {
  if (wanted === '') return [];
  const offsets: number[] = [];
  for (const { index } of text.matchAll(findPattern(wanted))) {
    offsets.push(index);
    if (offsets.length === mostMatches) break;
  }
  return offsets;
}

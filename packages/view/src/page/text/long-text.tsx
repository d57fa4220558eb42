import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { useSize } from '../scroll/use-size.ts';
import { VirtualRows } from '../scroll/virtual-rows.tsx';
import { CopyButton } from './copy-button.tsx';
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
  return (
    <div class="long-text" ref={box}>
      <div class="long-text-head">
        <span>
          {formatCount(text.length)} characters, {formatCount(lines.line(lines.count - 1).number)} lines
        </span>
        <CopyButton text={text} label="Copy all" />
      </div>
      <VirtualRows
        class="lines"
        label={label}
        count={lines.count}
        rowHeight={lineHeight}
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

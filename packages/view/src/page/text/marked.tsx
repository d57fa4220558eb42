import type { JSX } from 'preact';
import { markedText } from './marked-text.ts';

/** The pieces of a text in their order, with marks for what would not be seen. */
export function Marked({ text }: { text: string }): JSX.Element {
  return (
    <>
      {markedText(text).map((piece) =>
        'text' in piece ? (
          piece.text
        ) : (
          <span class="mark" title={piece.meaning}>
            {piece.mark}
          </span>
        ),
      )}
    </>
  );
}

import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { Find, splitAtMatches } from './find.ts';
import { markedText } from './marked-text.ts';

/** The pieces of a text in their order, with marks for what would not be seen. */
export function Marked({ text }: { text: string }): JSX.Element {
  const wanted = useContext(Find);
  return (
    <>
      {markedText(text).map((piece) =>
        'text' in piece ? (
          splitAtMatches(piece.text, wanted).map((part, at) =>
            at % 2 === 0 ? part : <mark key={at}>{part}</mark>,
          )
        ) : (
          <span class="mark" title={piece.meaning}>
            {piece.mark}
          </span>
        ),
      )}
    </>
  );
}

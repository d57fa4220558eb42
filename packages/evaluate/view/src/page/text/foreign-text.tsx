import type { JSX } from 'preact';
import { LongText } from './long-text.tsx';
import { Marked } from './marked.tsx';

/** Beyond this only the lines in sight are laid out. */
const mostCharacters = 12_000;
const mostLines = 300;

/** Text that a model, an agent or a tool wrote: shown as it is, whatever it says. */
export function ForeignText({ text, label }: { text: string; label: string }): JSX.Element {
  if (text.length > mostCharacters || hasMoreLines(text, mostLines)) {
    return <LongText text={text} label={label} />;
  }
  return (
    <div class="foreign" dir="auto">
      <Marked text={text} />
    </div>
  );
}

function hasMoreLines(text: string, most: number): boolean {
  let at = -1;
  for (let count = 0; count <= most; count += 1) {
    at = text.indexOf('\n', at + 1);
    if (at === -1) return false;
  }
  return true;
}

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

/** Puts a text on the clipboard and says so. */
export function CopyButton({ text, label }: { text: string; label: string }): JSX.Element {
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      setSaid('The browser refused');
    }
  };
  return (
    <button type="button" class="small" onClick={() => void copy()} aria-live="polite">
      {said === '' ? label : said}
    </button>
  );
}

import type { ErrorRecord } from '@art/trajectories';
import type { JSX } from 'preact';
import { ForeignText } from '../text/foreign-text.tsx';
import { oneLine } from '../text/marked-text.ts';

/** An error with its stack. */
export function Problem({ title, error }: { title: string; error: ErrorRecord }): JSX.Element {
  return (
    <section class="panel problem">
      <h2>{title}</h2>
      <p>
        <code>{oneLine(error.code)}</code>
      </p>
      <ForeignText text={error.message} label="Message of the error" />
      {error.stack !== null && (
        <details>
          <summary>Stack</summary>
          <ForeignText text={error.stack} label="Stack of the error" />
        </details>
      )}
    </section>
  );
}

import type { JSX } from 'preact';
import { jsonText } from '../../report/json-text.ts';
import { ForeignText } from '../text/foreign-text.tsx';

/** A value that others wrote, under a title. */
export function ForeignPanel({ title, value }: { title: string; value: unknown }): JSX.Element {
  return (
    <section class="panel">
      <h2>{title}</h2>
      <ForeignText text={typeof value === 'string' ? value : jsonText(value)} label={title} />
    </section>
  );
}

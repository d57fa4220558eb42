import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { SampleDetail } from '../../report/sample-detail.ts';
import type { DataSource } from '../data/data-source.ts';
import { formatScore, formatTime } from '../text/format.ts';
import { ForeignText } from '../text/foreign-text.tsx';

export interface AnnotationPanelProps {
  source: DataSource;
  run: number;
  at: number;
  folder: string;
  detail: SampleDetail;
}

/** A person's own score of a sample, and a remark: a judge beside the one that was measured. */
export function AnnotationPanel({ source, run, at, folder, detail }: AnnotationPanelProps): JSX.Element {
  const [kept, setKept] = useState(detail.annotation);
  const [trouble, setTrouble] = useState('');
  const isSaving = useRef(false);
  const { annotate } = source;
  const save = async (form: HTMLFormElement): Promise<void> => {
    if (annotate === undefined || isSaving.current) return;
    isSaving.current = true;
    const textOf = (name: string): string => (form.elements.namedItem(name) as HTMLInputElement).value.trim();
    const [score, remark] = [textOf('score'), textOf('remark')];
    const label = score === '' ? null : Number(score);
    const replaces = kept?.revision ?? 0;
    try {
      setKept(await annotate(run, { folder, at, id: detail.record.id, label, remark, replaces }));
      setTrouble('');
    } catch (error) {
      setTrouble(`Not kept. ${(error as Error).message}`);
    } finally {
      isSaving.current = false;
    }
  };
  const state =
    kept === null
      ? 'Nobody has scored this sample.'
      : `Kept ${formatTime(kept.atMs)}: ${kept.label === null ? 'no score' : `score ${formatScore(kept.label)}`}.`;
  return (
    <section class="panel annotation" aria-labelledby="human-title">
      <h2 id="human-title">Your score</h2>
      {annotate === undefined ? (
        <>
          <p class="note">{state} A page in a file keeps nothing: "art view" with the run's folder does.</p>
          {kept !== null && kept.remark !== '' && (
            <ForeignText text={kept.remark} label="Remark of a person" />
          )}
        </>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void save(event.currentTarget);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
              event.currentTarget.requestSubmit();
          }}
        >
          <label>
            Score
            <input
              id="human-score"
              name="score"
              type="number"
              step="any"
              defaultValue={kept?.label == null ? '' : String(kept.label)}
            />
          </label>
          <label class="remark">
            Remark
            <textarea name="remark" rows={2} maxLength={10_000} defaultValue={kept?.remark ?? ''} />
          </label>
          <button type="submit">Keep</button>
          <p class="note" role="status">
            {state}
          </p>
          {trouble !== '' && (
            <p class="trouble" role="alert">
              {trouble}
            </p>
          )}
        </form>
      )}
    </section>
  );
}

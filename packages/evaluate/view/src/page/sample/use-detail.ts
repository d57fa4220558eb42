import { useEffect, useState } from 'preact/hooks';
import type { SampleDetail } from '../../report/sample-detail.ts';
import type { DataSource } from '../data/data-source.ts';

/** Reads everything about a sample: undefined until it is there, or why it is not. */
export function useDetail(
  source: DataSource,
  run: number,
  at: number,
): { detail: SampleDetail | undefined; trouble: string } {
  const [state, setState] = useState<{ detail: SampleDetail | undefined; trouble: string }>(unknown);
  useEffect(() => {
    let isOver = false;
    setState(unknown);
    source.detail(run, at).then(
      (detail) => isOver || setState({ detail, trouble: '' }),
      (error: Error) => isOver || setState({ detail: undefined, trouble: error.message }),
    );
    return () => {
      isOver = true;
    };
  }, [source, run, at]);
  return state;
}

const unknown = { detail: undefined, trouble: '' };

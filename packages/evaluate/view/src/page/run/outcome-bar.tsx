import type { JSX } from 'preact';
import type { RolloutOutcomeKind } from '@art/protocol';
import { outcomeKinds, OutcomeLabel } from '../shell/outcome-label.tsx';
import { hrefOf } from '../shell/route.ts';
import { formatCount, formatPercent } from '../text/format.ts';

export interface OutcomeBarProps {
  run: number;
  counts: ReadonlyMap<RolloutOutcomeKind, number>;
  /** Samples in all, those that are to come among them; the bar is as long. */
  total: number;
}

/** Outcomes of the samples, as parts of a bar and in numbers. */
export function OutcomeBar({ run, counts, total }: OutcomeBarProps): JSX.Element {
  const kinds = outcomeKinds.filter((kind) => (counts.get(kind) ?? 0) > 0);
  return (
    <div class="outcomes">
      <div class="outcome-bar" aria-hidden="true">
        {kinds.map((kind) => (
          <span
            key={kind}
            class={`is-${kind}`}
            style={{ width: `${(counts.get(kind)! / Math.max(1, total)) * 100}%` }}
          />
        ))}
      </div>
      <ul class="outcome-list">
        {kinds.map((kind) => (
          <li key={kind}>
            <a href={hrefOf({ page: 'samples', run, query: `outcome:${kind}`, sort: '' })}>
              <OutcomeLabel kind={kind} /> <b>{formatCount(counts.get(kind))}</b>{' '}
              <span class="share">{formatPercent(counts.get(kind)! / Math.max(1, total))}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

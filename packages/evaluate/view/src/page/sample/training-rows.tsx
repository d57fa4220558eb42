import type { TranscriptRecord } from '@art/eval/records';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount, formatScore } from '../text/format.ts';
import { meanOf } from '../run/task-summaries.ts';

type Row = TranscriptRecord['rows'][number];

/** Rows of a sample that a trainer gets. */
export function TrainingRows({ rows }: { rows: readonly Row[] }): JSX.Element {
  return (
    <section class="panel" aria-labelledby="rows-title">
      <h2 id="rows-title">
        {rows.length === 1 ? 'Training row' : `${formatCount(rows.length)} training rows`}
      </h2>
      {rows.slice(0, 50).map((row) => (
        <TrainingRowView key={row.row_id} row={row} />
      ))}
    </section>
  );
}

function TrainingRowView({ row }: { row: Row }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const trained = row.loss_mask.reduce((sum, bit) => sum + bit, 0);
  const logprobs = row.logprobs.filter((_, at) => row.loss_mask[at] === 1);
  const advantages = row.advantages?.filter((_, at) => row.loss_mask[at] === 1) ?? [];
  return (
    <div class="training-row">
      <div class="row-bar" aria-hidden="true">
        {stretches(row).map(({ kind, share }, at) => (
          <span key={at} class={`is-${kind}`} style={{ width: `${share * 100}%` }} />
        ))}
      </div>
      <p class="legend">
        <span>
          <span class="key row-prompt" aria-hidden="true" />
          prompt <b>{formatCount(row.prompt_length)}</b>
        </span>
        <span>
          <span class="key row-trained" aria-hidden="true" />
          trains <b>{formatCount(trained)}</b>
        </span>
        <span>
          <span class="key row-masked" aria-hidden="true" />
          loss mask 0 <b>{formatCount(row.loss_mask.length - trained)}</b>
        </span>
        <span>
          mean logprob <b>{formatScore(meanOf(logprobs))}</b>
        </span>
        <span>
          reward <b>{formatScore(row.reward)}</b>
        </span>
        {advantages.length > 0 && (
          <span>
            advantage <b>{formatScore(meanOf(advantages))}</b>
          </span>
        )}
        <span>
          {row.num_turns} turns, {row.status}
        </span>
        <button type="button" class="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide token ids' : 'Token ids'}
        </button>
      </p>
      {isOpen && (
        <p class="token-list">
          {row.token_ids.slice(0, 4_000).map((id, at) => {
            const response = at - row.prompt_length;
            const kind = response < 0 ? 'prompt' : row.loss_mask[response] === 1 ? 'trained' : 'masked';
            return (
              <span key={at} class={`token row-${kind}`}>
                {id}
              </span>
            );
          })}
          {row.token_ids.length > 4_000 && ` and ${formatCount(row.token_ids.length - 4_000)} more`}
        </p>
      )}
    </div>
  );
}

interface Stretch {
  kind: 'prompt' | 'trained' | 'masked';
  share: number;
}

const mostStretches = 400;

/** Neighbouring tokens that train, or do not, taken together. */
function stretches(row: Row): Stretch[] {
  const total = Math.max(1, row.token_ids.length);
  const found: Stretch[] = [{ kind: 'prompt', share: row.prompt_length / total }];
  for (const bit of row.loss_mask) {
    const kind = bit === 1 ? 'trained' : 'masked';
    const last = found.at(-1)!;
    if (last.kind === kind || found.length > mostStretches) last.share += 1 / total;
    else found.push({ kind, share: 1 / total });
  }
  return found;
}

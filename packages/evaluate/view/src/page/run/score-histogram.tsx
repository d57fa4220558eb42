import type { JSX } from 'preact';
import { formatCount, formatTick } from '../text/format.ts';
import { type ScoreBin, scoreBins } from './score-bins.ts';

/** How the scores are distributed. */
export function ScoreHistogram({ scores }: { scores: readonly number[] }): JSX.Element {
  const bins = scoreBins(scores);
  const most = bins.reduce((count, bin) => Math.max(count, bin.count), 1);
  return (
    <figure class="chart">
      <figcaption>
        <span class="chart-title">Distribution of scores</span>
      </figcaption>
      {bins.length === 0 ? (
        <p class="empty">Nothing has a score yet.</p>
      ) : (
        <ul class="histogram">
          {bins.map((bin) => (
            <li key={bin.from} title={`${nameOf(bin)}: ${formatCount(bin.count)}`}>
              <span class="bin-name">{nameOf(bin)}</span>
              <span class="bin-track">
                <span class="bin-bar" style={{ width: `${(bin.count / most) * 100}%` }} />
              </span>
              <span class="bin-count">{formatCount(bin.count)}</span>
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}

function nameOf({ from, to }: ScoreBin): string {
  return from === to ? formatTick(from) : `${formatTick(from)} to ${formatTick(to)}`;
}

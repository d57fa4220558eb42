import type { JSX } from 'preact';
import { OutcomeLabel } from '../shell/outcome-label.tsx';
import { formatScore } from '../text/format.ts';
import { oneLine } from '../text/marked-text.ts';
import { countOutcomes, type Summary } from './task-summaries.ts';

export interface SummaryTableProps {
  title: string;
  /** Name of what is summed up. */
  named: string;
  summaries: readonly Summary[];
  href: (name: string) => string;
  /** Intervals of the means, at 95 %, by name; left out where nothing is known of them. */
  intervals?: ReadonlyMap<string, string>;
}

/** Means of tasks or tags, each a link to its samples. */
export function SummaryTable({ title, named, summaries, href, intervals }: SummaryTableProps): JSX.Element {
  const hasIntervals = summaries.some(({ name }) => intervals?.has(name) === true);
  return (
    <section class="panel">
      <h2>{title}</h2>
      {summaries.length === 0 ? (
        <p class="empty">Nothing has a score yet.</p>
      ) : (
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">{named}</th>
              <th scope="col" class="number">
                Mean
              </th>
              {hasIntervals && <th scope="col">95 %</th>}
              <th scope="col" class="number">
                Samples
              </th>
              <th scope="col">Not ok</th>
            </tr>
          </thead>
          <tbody>
            {summaries.map((summary) => (
              <tr key={summary.name}>
                <th scope="row">
                  <a href={href(summary.name)}>
                    <bdi>{oneLine(summary.name)}</bdi>
                  </a>
                </th>
                <td class="number">{formatScore(summary.mean)}</td>
                {hasIntervals && <td>{intervals?.get(summary.name) ?? '–'}</td>}
                <td class="number">{summary.rows.length}</td>
                <td>
                  {[...countOutcomes(summary.rows)]
                    .filter(([kind]) => kind !== 'ok')
                    .map(([kind, count]) => (
                      <span key={kind} class="counted">
                        {count} <OutcomeLabel kind={kind} />
                      </span>
                    ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

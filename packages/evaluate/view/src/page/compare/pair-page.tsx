import type { JSX } from 'preact';
import type { SampleRow } from '../../report/sample-row.ts';
import type { DataSource } from '../data/data-source.ts';
import type { RunData } from '../data/run-data.ts';
import { ConversationView } from '../sample/conversation.tsx';
import { ForeignPanel } from '../sample/foreign-panel.tsx';
import { Problem } from '../sample/problem.tsx';
import { useDetail } from '../sample/use-detail.ts';
import { OutcomeLabel, outcomeName } from '../shell/outcome-label.tsx';
import { goTo, hrefOf, type Route } from '../shell/route.ts';
import { formatDuration, formatScore } from '../text/format.ts';
import { oneLine } from '../text/marked-text.ts';

type PairRoute = Extract<Route, { page: 'pair' }>;

export interface PairPageProps {
  source: DataSource;
  runs: readonly RunData[];
  route: PairRoute;
}

/** Two transcripts side by side. */
export function PairPage({ source, runs, route }: PairPageProps): JSX.Element {
  const { before, after, beforeAt, afterAt } = route;
  const [first, second] = [runs[before]?.rows[beforeAt], runs[after]?.rows[afterAt]];
  if (first === undefined || second === undefined) {
    return (
      <main>
        <p class="empty">There is no such pair of samples here.</p>
      </main>
    );
  }
  return (
    <main class="pair-page">
      <nav class="steps" aria-label="Comparison">
        <a href={hrefOf({ page: 'compare', before, after })}>All tasks</a>
      </nav>
      <h1>
        <bdi>{oneLine(second.taskId)}</bdi>
      </h1>
      <div class="pair">
        <Side
          title="Before"
          source={source}
          data={runs[before]!}
          run={before}
          row={first}
          onChoose={(at) => goTo({ ...route, beforeAt: at })}
        />
        <Side
          title="After"
          source={source}
          data={runs[after]!}
          run={after}
          row={second}
          onChoose={(at) => goTo({ ...route, afterAt: at })}
        />
      </div>
    </main>
  );
}

interface SideProps {
  title: string;
  source: DataSource;
  data: RunData;
  run: number;
  row: SampleRow;
  onChoose: (at: number) => void;
}

function Side({ title, source, data, run, row, onChoose }: SideProps): JSX.Element {
  const { detail, trouble } = useDetail(source, run, row.at);
  const siblings = data.rows.filter(({ taskId }) => taskId === row.taskId);
  return (
    <section class="pair-side" aria-label={title}>
      <h2>
        {title}: <bdi>{oneLine(data.info.title)}</bdi>
      </h2>
      <p class="pair-facts">
        <select
          aria-label={`Sample ${title.toLowerCase()}`}
          value={row.at}
          onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}
        >
          {siblings.map(({ at, sample, score }) => (
            <option key={at} value={at}>
              #{sample}, score {formatScore(score)}
            </option>
          ))}
        </select>
        <OutcomeLabel kind={row.outcome} />
        <span>
          score <b>{formatScore(row.score)}</b>
        </span>
        <span>{formatDuration(row.latencyMs)}</span>
        <a href={hrefOf({ page: 'sample', run, at: row.at })}>Everything about it</a>
      </p>
      {trouble !== '' && (
        <p class="trouble" role="alert">
          {trouble}
        </p>
      )}
      {trouble === '' && detail === undefined && <p class="loading">Reading the sample…</p>}
      {detail?.record.error != null && (
        <Problem title={`Why it is ${outcomeName(detail.record.outcome)}`} error={detail.record.error} />
      )}
      {detail?.transcriptProblem != null && <p class="trouble">{oneLine(detail.transcriptProblem)}</p>}
      {detail?.transcript != null && (
        <>
          <ConversationView transcript={detail.transcript} />
          {detail.transcript.document !== null && (
            <ForeignPanel title="Result" value={detail.transcript.document} />
          )}
        </>
      )}
    </section>
  );
}

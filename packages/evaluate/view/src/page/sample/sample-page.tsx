import type { JSX } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { RunInfo } from '../../report/run-info.ts';
import type { SampleDetail } from '../../report/sample-detail.ts';
import type { SampleRow } from '../../report/sample-row.ts';
import type { DataSource } from '../data/data-source.ts';
import { Figure } from '../shell/figure.tsx';
import { OutcomeLabel, outcomeName } from '../shell/outcome-label.tsx';
import { goTo, hrefOf } from '../shell/route.ts';
import { isField } from '../shell/use-keys.ts';
import { CopyButton } from '../text/copy-button.tsx';
import { ForeignText } from '../text/foreign-text.tsx';
import { formatCount, formatDuration, formatScore, formatTime } from '../text/format.ts';
import { Find } from '../text/find.ts';
import { oneLine } from '../text/marked-text.ts';
import { AnnotationPanel } from './annotation-panel.tsx';
import { CallTimes } from './call-times.tsx';
import { ConversationView } from './conversation.tsx';
import { ForeignPanel } from './foreign-panel.tsx';
import { Problem } from './problem.tsx';
import { TrainingRows } from './training-rows.tsx';
import { useDetail } from './use-detail.ts';

export interface SamplePageProps {
  source: DataSource;
  run: number;
  at: number;
  /** In the order in which they are walked through. */
  rows: readonly SampleRow[];
  info: RunInfo;
}

/** Everything that is known of one sample. */
export function SamplePage({ source, run, at, rows, info }: SamplePageProps): JSX.Element {
  const { detail, trouble } = useDetail(source, run, at);
  const [wanted, setWanted] = useState('');
  const place = rows.findIndex((row) => row.at === at);
  const previous = rows[place - 1];
  const next = place === -1 ? undefined : rows[place + 1];
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
      if (event.key === '[' && previous !== undefined) goTo({ page: 'sample', run, at: previous.at });
      else if (event.key === ']' && next !== undefined) goTo({ page: 'sample', run, at: next.at });
      else if (event.key === 'a') {
        document.querySelector<HTMLElement>('#human-score')?.focus();
        event.preventDefault();
      } else if (event.key === 'Escape' && document.querySelector('dialog[open]') === null) history.back();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [run, previous, next]);
  if (trouble !== '') {
    return (
      <main>
        <p class="trouble" role="alert">
          {trouble}
        </p>
      </main>
    );
  }
  if (detail === undefined) {
    return (
      <main>
        <p class="loading">Reading the sample…</p>
      </main>
    );
  }
  const { record, transcript } = detail;
  return (
    <Find.Provider value={wanted.trim().toLowerCase()}>
      <main class="sample-page">
        <nav class="steps" aria-label="Samples">
          <a href={hrefOf({ page: 'samples', run, query: '', sort: '' })}>All samples</a>
          <input
            id="search"
            type="search"
            value={wanted}
            placeholder="Find in this transcript"
            aria-label="Find in this transcript"
            spellcheck={false}
            autocomplete="off"
            onInput={({ currentTarget }) => setWanted(currentTarget.value)}
          />
          <span class="steps-end">
            {place !== -1 && (
              <span class="note">
                {formatCount(place + 1)} of {formatCount(rows.length)}
              </span>
            )}
            <Step run={run} row={previous} name="Previous" />
            <Step run={run} row={next} name="Next" />
          </span>
        </nav>
        <div class="run-head">
          <h1>
            <bdi>{oneLine(record.taskId)}</bdi>
            <span class="sample-number">#{record.sample}</span>
          </h1>
          <OutcomeLabel kind={record.outcome} />
          {record.tags.map((tag) => (
            <bdi class="tag" key={tag}>
              {oneLine(tag)}
            </bdi>
          ))}
        </div>
        <dl class="figures">
          <Figure
            name="Score"
            note={record.rewardedBy === null ? 'not judged' : `by the ${record.rewardedBy}`}
          >
            {formatScore(record.score)}
          </Figure>
          <Figure name="Latency" note={formatTime(record.submittedAtMs)}>
            {formatDuration(record.latencyMs)}
          </Figure>
          {record.modelCalls !== null && <Figure name="Model calls">{formatCount(record.modelCalls)}</Figure>}
          {record.tokens !== null && (
            <Figure name="Tokens" note={`${formatCount(record.tokens.completion)} sampled`}>
              {formatCount(record.tokens.prompt + record.tokens.completion)}
            </Figure>
          )}
          {Object.entries(record.metrics).map(([name, value]) => (
            <Figure key={name} name={oneLine(name)}>
              {formatScore(value)}
            </Figure>
          ))}
          {record.rewards !== null && record.rewards.length > 1 && (
            <Figure name="Reward of each turn">
              {record.rewards.slice(0, 20).map(formatScore).join(', ')}
            </Figure>
          )}
        </dl>
        {record.error !== null && (
          <Problem title={`Why it is ${outcomeName(record.outcome)}`} error={record.error} />
        )}
        {record.judgeError !== null && <Problem title="Why it has no reward" error={record.judgeError} />}
        {record.remarks.length > 0 && (
          <section class="panel">
            <h2>What the judge said</h2>
            <ForeignText text={record.remarks.join('\n\n')} label="What the judge said" />
          </section>
        )}
        {info.kind === 'evaluation' && info.run !== null && (
          <AnnotationPanel source={source} run={run} at={at} folder={info.folder} detail={detail} />
        )}
        <CallTimes record={record} calls={transcript?.calls ?? []} />
        {detail.transcriptProblem !== null && <p class="trouble">{oneLine(detail.transcriptProblem)}</p>}
        {transcript !== null && (
          <>
            <div class="columns">
              {Object.keys(transcript.payload ?? {}).length > 0 && (
                <ForeignPanel title="Task" value={transcript.payload} />
              )}
              {transcript.expected != null && <ForeignPanel title="Expected" value={transcript.expected} />}
            </div>
            <ConversationView transcript={transcript} />
            {transcript.document !== null && <ForeignPanel title="Result" value={transcript.document} />}
            {transcript.rows.length > 0 && <TrainingRows rows={transcript.rows} />}
          </>
        )}
        <section class="panel">
          <h2>Session</h2>
          <dl class="session">
            <Line name="Session" value={record.sessionId} />
            <Line name="Invocation" value={record.invocationId} />
            <Line name="Result" value={record.resultKey} />
            <Line
              name="Transcript"
              value={
                record.transcript === null
                  ? null
                  : `byte ${record.transcript.atByte} of ${info.folder}/transcripts.jsonl`
              }
            />
          </dl>
          {record.attempts.length > 1 && <Attempts record={record} />}
          {transcript?.log != null && transcript.log !== '' && (
            <>
              <h3>Last lines of its log</h3>
              <ForeignText text={transcript.log} label="Log of the session" />
            </>
          )}
        </section>
      </main>
    </Find.Provider>
  );
}

function Step({ run, row, name }: { run: number; row: SampleRow | undefined; name: string }): JSX.Element {
  return row === undefined ? (
    <span class="step is-off">{name}</span>
  ) : (
    <a class="step" href={hrefOf({ page: 'sample', run, at: row.at })}>
      {name}
    </a>
  );
}

function Line({ name, value }: { name: string; value: string | null }): JSX.Element | null {
  if (value === null) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <code>
          <bdi>{oneLine(value)}</bdi>
        </code>{' '}
        <CopyButton text={value} label="Copy" />
      </dd>
    </div>
  );
}

function Attempts({ record: { attempts } }: Pick<SampleDetail, 'record'>): JSX.Element {
  return (
    <>
      <h3>{attempts.length} attempts</h3>
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Attempt</th>
            <th scope="col">Outcome</th>
            <th scope="col" class="number">
              Took
            </th>
            <th scope="col" class="number">
              Throttled
            </th>
            <th scope="col">Error</th>
          </tr>
        </thead>
        <tbody>
          {attempts.map(({ attempt, outcome, settledMs, throttled, error }) => (
            <tr key={attempt}>
              <th scope="row">{attempt + 1}</th>
              <td>
                <OutcomeLabel kind={outcome} />
              </td>
              <td class="number">{formatDuration(settledMs)}</td>
              <td class="number">{throttled}</td>
              <td>
                {error === null ? '' : <bdi>{oneLine(`${error.code}: ${error.message}`.slice(0, 500))}</bdi>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

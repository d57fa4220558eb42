import type { ModelCallRecord, SampleRecord } from '@art/trajectories';
import type { JSX } from 'preact';
import { formatDuration } from '../text/format.ts';

export interface CallTimesProps {
  record: SampleRecord;
  calls: readonly ModelCallRecord[];
}

/** More calls than this are no longer told apart. */
const mostCalls = 300;

/** Where the time of a session went: its phases, and the calls of the model below them. */
export function CallTimes({ record, calls }: CallTimesProps): JSX.Element | null {
  const { submittedAtMs, timings, latencyMs } = record;
  if (submittedAtMs === null) return null;
  const { acceptedMs, storedMs, noticedMs, settledMs, stoppedMs } = timings;
  const endMs = Math.max(
    1,
    ...[acceptedMs, storedMs, noticedMs, settledMs, stoppedMs, latencyMs].map((ms) => ms ?? 0),
    ...calls.slice(0, mostCalls).map((call) => call.startedAtMs + call.latencyMs - submittedAtMs),
  );
  const bounds = [
    ['waiting', 'Accepted after', acceptedMs],
    [
      'working',
      storedMs === null ? 'Ended after' : 'Result stored after',
      storedMs ?? noticedMs ?? settledMs,
    ],
    ['noticing', 'Noticed after', storedMs === null ? null : noticedMs],
    ['stopping', 'Stopped after', stoppedMs],
  ] as const;
  let fromMs = 0;
  const phases = bounds.flatMap(([phase, name, toMs]) => {
    if (toMs === null) return [];
    const bar = { phase, name, toMs, left: fromMs / endMs, width: Math.max(0, toMs - fromMs) / endMs };
    fromMs = Math.max(fromMs, toMs);
    return [bar];
  });
  return (
    <section class="panel" aria-labelledby="times-title">
      <h2 id="times-title">Where the time went</h2>
      <div class="times" aria-hidden="true">
        <div class="time-track">
          {phases.map(({ phase, left, width }) => (
            <span
              key={phase}
              style={{ left: `${left * 100}%`, width: `${width * 100}%`, background: `var(--t-${phase})` }}
            />
          ))}
        </div>
        {calls.length > 0 && (
          <div class="time-track">
            {calls.slice(0, mostCalls).map((call) => (
              <span
                key={call.captureId}
                class="call-bar"
                style={{
                  left: `${(Math.max(0, call.startedAtMs - submittedAtMs) / endMs) * 100}%`,
                  width: `${(call.latencyMs / endMs) * 100}%`,
                }}
              />
            ))}
          </div>
        )}
      </div>
      <p class="legend">
        {phases.map(({ phase, name, toMs }) => (
          <span key={phase}>
            <span class="key" style={{ background: `var(--t-${phase})` }} aria-hidden="true" />
            {name} <b>{formatDuration(toMs)}</b>
          </span>
        ))}
        {calls.length > 0 && (
          <span>
            <span class="key call-key" aria-hidden="true" />
            {calls.length} model calls, together{' '}
            <b>{formatDuration(calls.reduce((sum, call) => sum + call.latencyMs, 0))}</b>
          </span>
        )}
      </p>
    </section>
  );
}

import type { JSX } from 'preact';
import type { CheckedHealth, CheckedPlace, RunHealthReport } from '../../report/run-health.ts';
import { hrefOf } from '../shell/route.ts';
import { formatCount } from '../text/format.ts';
import { oneLine } from '../text/marked-text.ts';

type Finding = Extract<CheckedHealth, { state: 'finding' }>;

const levels = ['error', 'warning', 'note'] as const;

/** Verdicts of the checks about a run: what is wrong and what to do, what is fine, and what nobody could see. */
export function HealthPanel({
  run,
  health,
}: {
  run: number;
  health: RunHealthReport | null | undefined;
}): JSX.Element | null {
  if (health === null) return null;
  const checks = health?.checks ?? [];
  const found = checks
    .filter((check) => check.state === 'finding')
    .toSorted((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level));
  // In a measurement they are mostly for who trains on it.
  const [findings, notes] = [found.filter(isUrgent), found.filter((finding) => !isUrgent(finding))];
  const unseen = checks.filter((check) => check.state === 'not_observed');
  const healthy = checks.filter((check) => check.state === 'healthy');
  return (
    <section class="panel health" aria-labelledby="health-title">
      <h2 id="health-title">Health</h2>
      {health === undefined ? (
        <p class="subtitle">The rollouts are being read.</p>
      ) : (
        <p class="subtitle">
          {findings.length === 0 ? 'No finding' : `${formatCount(findings.length)} findings`},{' '}
          {notes.length > 0 && `${formatCount(notes.length)} notes, `}
          {formatCount(healthy.length)} checks found nothing, {formatCount(unseen.length)} could not look, in{' '}
          {formatCount(health.rollouts)} rollouts
        </p>
      )}
      <Findings run={run} findings={findings} />
      {notes.length > 0 && (
        <details>
          <summary>Notes: {formatCount(notes.length)}</summary>
          <Findings run={run} findings={notes} />
        </details>
      )}
      {unseen.length > 0 && (
        <details>
          <summary>Not observed: {formatCount(unseen.length)}</summary>
          <ul class="findings">
            {unseen.map(({ check, why }) => (
              <li key={check}>
                <code>{check}</code>: {why}
              </li>
            ))}
          </ul>
        </details>
      )}
      {healthy.length > 0 && (
        <details>
          <summary>Healthy: {formatCount(healthy.length)}</summary>
          <p>{healthy.map(({ check }) => check).join(', ')}</p>
        </details>
      )}
    </section>
  );
}

function isUrgent({ level }: Finding): boolean {
  return level !== 'note';
}

function Findings({ run, findings }: { run: number; findings: readonly Finding[] }): JSX.Element {
  return (
    <ul class="findings">
      {findings.map((finding) => (
        <li key={finding.check}>
          <b class={`level is-${finding.level}`}>{finding.level}</b> <code>{finding.check}</code>:{' '}
          <bdi>{oneLine(finding.message)}</bdi> {finding.nextStep}
          <Places run={run} finding={finding} />
        </li>
      ))}
    </ul>
  );
}

function Places({
  run,
  finding: { check, places, samples },
}: {
  run: number;
  finding: Finding;
}): JSX.Element {
  return (
    <span class="places">
      {places.map((place) => (
        <Place key={`${place.id} ${place.call}`} run={run} place={place} />
      ))}
      {samples.length > 0 && (
        <a href={hrefOf({ page: 'samples', run, query: `finding:${check}`, sort: '' })}>
          {samples.length === 1 ? 'its sample' : `all ${formatCount(samples.length)} samples`}
        </a>
      )}
    </span>
  );
}

function Place({ run, place: { id, call, at } }: { run: number; place: CheckedPlace }): JSX.Element {
  const name = `${oneLine(id)}${call === null ? '' : `, call ${call}`}`;
  return at === null ? (
    <bdi>{name}</bdi>
  ) : (
    <a href={hrefOf({ page: 'sample', run, at })}>
      <bdi>{name}</bdi>
    </a>
  );
}

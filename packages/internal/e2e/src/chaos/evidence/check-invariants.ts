import { expectedOutcome, type ChaosPayload } from '../round/chaos-payload.ts';
import type { ClientLine, YieldedLine } from './client-line.ts';
import { handlerProof } from './handler-run.ts';
import type { RoundEvidence, Violation } from './round-evidence.ts';

/** Checks what must hold at the end of a round. @returns everything that does not */
export function checkInvariants(evidence: RoundEvidence): Violation[] {
  return [
    ...evidence.payloads.flatMap((payload) => checkPayload(payload, evidence)),
    ...checkHandlers(evidence),
    ...checkOverwriting(evidence),
    ...checkTwins(evidence),
    ...checkLives(evidence),
    ...evidence.leftSessions.map((sessionId): Violation => ({
      invariant: 'orphan',
      n: evidence.handlerRuns.find((run) => run.sessionId === sessionId)?.n,
      message: `Session ${sessionId} is still alive after everything was acknowledged.`,
    })),
  ];
}

/** Every payload has one outcome, the one that it must have, and is not yielded again once it was acknowledged. */
function checkPayload(payload: ChaosPayload, evidence: RoundEvidence): Violation[] {
  const { n } = payload;
  const found: Violation[] = [];
  let last: YieldedLine | undefined;
  let acknowledgedInLife: number | undefined;
  const lives = new Set<number>();
  for (const line of evidence.lines) {
    if (!('n' in line) || line.n !== n) continue;
    if (line.event === 'acknowledged') {
      acknowledgedInLife = line.life;
      continue;
    }
    if (acknowledgedInLife !== undefined || lives.has(line.life) || line.life === evidence.finalLife)
      found.push({
        invariant: 'doubled',
        n,
        message: `Payload ${n} was yielded in life ${line.life}${acknowledgedInLife === undefined ? ' for the second time, or after its run was complete' : `, and had been acknowledged in life ${acknowledgedInLife}`}.`,
      });
    lives.add(line.life);
    last = line;
    found.push(...checkDocument(line, payload, evidence));
  }
  if (last === undefined) return [{ invariant: 'lost', n, message: `Payload ${n} was never yielded.` }];
  const expected = expectedOutcome(payload);
  if (last.outcome !== expected)
    found.push({
      invariant: 'wrong_outcome',
      n,
      message: `Payload ${n} (${payload.do}) was to end as ${expected}, it ended as ${last.outcome}: ${last.message ?? ''}`,
    });
  return found;
}

/** No `ok` without what only the handler can have written, and the store's own word that it was stored. */
function checkDocument(
  { n, outcome, attemptId, proof, resultKey }: YieldedLine,
  { round }: ChaosPayload,
  { secret, handlerRuns, log, logHasGaps }: RoundEvidence,
): Violation[] {
  if (outcome !== 'ok') return [];
  const forged = (why: string): Violation[] => [
    { invariant: 'forged', n, message: `Payload ${n} is ok with a document that ${why}.` },
  ];
  if (attemptId === undefined || proof !== handlerProof(secret, { round, n, attemptId }))
    return forged('its handler did not write');
  if (!handlerRuns.some((run) => run.attemptId === attemptId && run.n === n))
    return forged(`belongs to attempt ${attemptId}, which never ran`);
  const wasStored = log.some(
    (entry) => entry.kind === 's3_write' && entry.key === resultKey && entry.outcome !== 'refused',
  );
  return wasStored || logHasGaps ? [] : forged('was never stored');
}

function checkHandlers({ handlerRuns, log, logHasGaps }: RoundEvidence): Violation[] {
  const found: Violation[] = [];
  for (const [attemptId, runs] of Map.groupBy(handlerRuns, (run) => run.attemptId)) {
    const [first] = runs;
    if (runs.length > 1)
      found.push({
        invariant: 'ran_twice',
        n: first?.n,
        message: `The handler ran ${runs.length} times for attempt ${attemptId}, in the processes ${runs.map((run) => run.pid).join(', ')}.`,
      });
    const wasDelivered = log.some((entry) => entry.kind === 'delivered' && entry.invocationId === attemptId);
    if (!wasDelivered && !logHasGaps)
      found.push({
        invariant: 'forged',
        n: first?.n,
        message: `The handler ran for attempt ${attemptId}, which the endpoint never delivered.`,
      });
  }
  return found;
}

/** The first document wins: nothing is stored twice under one key, unless the store itself threw it away. */
function checkOverwriting({ log, faults }: RoundEvidence): Violation[] {
  const forgotten = new Set(faults.filter((fault) => fault.kind === 'forget').map((fault) => fault.key));
  const stored = log.flatMap((entry) =>
    entry.kind === 's3_write' && entry.outcome === 'stored' && !forgotten.has(entry.key) ? [entry.key] : [],
  );
  return [...Map.groupBy(stored, (key) => key)].flatMap(([key, writes]): Violation[] =>
    writes.length > 1
      ? [
          {
            invariant: 'doubled',
            message: `${writes.length} documents were stored one over the other as ${key}.`,
          },
        ]
      : [],
  );
}

/** Checks that of two that resume at once one wins: they never work at the same time, and not both are turned away. */
function checkTwins({ lines, twins }: RoundEvidence): Violation[] {
  return twins.flatMap(([one, other]): Violation[] => {
    const message = `Lives ${one} and ${other} were started together, and`;
    const [ofOne, ofOther] = [one, other].map((life) => lines.filter((line) => line.life === life));
    if (overlap(ofOne ?? [], ofOther ?? []))
      return [{ invariant: 'two_holders', message: `${message} both worked at the same time.` }];
    if ([ofOne, ofOther].every((own) => own?.some((line) => line.event === 'ended' && line.how === 'locked')))
      return [{ invariant: 'refused', message: `${message} both were turned away.` }];
    return [];
  });
}

function overlap(one: readonly ClientLine[], other: readonly ClientLine[]): boolean {
  const [oneWorked, otherWorked] = [worked(one), worked(other)];
  if (oneWorked.length === 0 || otherWorked.length === 0) return false;
  return !isBefore(oneWorked, otherWorked) && !isBefore(otherWorked, oneWorked);
}

function worked(lines: readonly ClientLine[]): ClientLine[] {
  return lines.filter((line) => line.event === 'yielded' || line.event === 'acknowledged');
}

function isBefore(one: readonly ClientLine[], other: readonly ClientLine[]): boolean {
  return (one.at(-1)?.atMs ?? 0) <= (other[0]?.atMs ?? 0);
}

/** A run can be taken up at every moment: nothing but another holder, or a store out of reach, turns a client away. */
function checkLives({ lines, finalLife }: RoundEvidence): Violation[] {
  return lines.flatMap((line): Violation[] => {
    if (line.event !== 'ended' || line.how === 'complete') return [];
    const isExcused = line.how === 'locked' || /^ART_STORE_|^ART_JOURNAL_WRITE_FAILED$/.test(line.code ?? '');
    if (isExcused && line.life !== finalLife) return [];
    return [
      {
        invariant: 'refused',
        message: `Life ${line.life} could not continue: ${line.code ?? 'no code'}: ${line.message ?? ''}`,
      },
    ];
  });
}

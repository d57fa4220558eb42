import { relative } from 'node:path';
import type { SharedUse } from '@art/local';
import type { AgentCheck } from '../agent-check.ts';
import { fault, ok, type Seen, skipped, warning } from '../finding.ts';
import { type ClonedSession, clonedSessions, type ClonesSeen, movedMs } from '../room/cloned-sessions.ts';
import { durationsIn, stampsWithin } from '../room/kept-times.ts';
import type { Room } from '../room/room.ts';
import type { SharedValue } from '../room/shared-values.ts';

const mostPlaces = 3;
const none = 'nothing of the kind in two sessions';

/** A look at both clones; skipped where nothing could be played. */
const ofClones =
  (look: (seen: ClonesSeen) => Seen) =>
  async (room: Room): Promise<Seen> => {
    if (room.isContainer) return skipped('Snapshots are played for files and commands, not for images.');
    const seen = await clonedSessions(room);
    return seen === undefined
      ? skipped(
          'Not observed: the agent takes its requests through something else than an HTTP server of Node.',
        )
      : look(seen);
  };

const safely =
  "Import '@art/server/snapshot-safe' before everything else, or load it with node --import: then it comes from the kernel.";

/** Two sessions are played as clones of one snapshot, as platform version V2 starts them, and compared. */
export const snapshotChecks: readonly AgentCheck[] = [
  {
    id: 'snapshot.same-draws',
    title: 'draws nothing in a session that every other session draws, too',
    why: 'On platform version V2 all sessions continue with the same generators, so the rollouts of a group draw the same.',
    todo: safely,
    requires: 'process',
    run: ofClones(({ clones: [{ uses }] }) => {
      const drawn = uses.filter(({ kind, at }) => kind === 'draw' && at === 'session');
      if (drawn.length === 0) return ok(none);
      const seen = `${namesOf(drawn)} at ${placesOf(drawn)}`;
      return drawn.some(({ stack }) => ownPlace(stack) !== undefined) ? fault(seen) : warning(seen);
    }),
  },
  {
    id: 'snapshot.same-values',
    title: 'uses no id, number or order in a session that was drawn at start',
    why: 'On platform version V2 what was drawn at start is in the snapshot: every session has the same.',
    todo: 'Draw it in the handler, when it is needed.',
    requires: 'process',
    after: 'snapshot.same-draws',
    run: ofClones(({ shared, clones: [{ uses }] }) => {
      if (shared.length === 0) return ok(none);
      const atStart = uses.filter(({ kind, at }) => kind === 'draw' && at === 'start');
      const exact = atStart.filter(({ value }) => shared.some((one) => String(one.value) === String(value)));
      return fault(`equal in both: ${shown(shared)}; ${drawnAt(exact.length > 0 ? exact : atStart)}`);
    }),
  },
  {
    id: 'snapshot.start-clock',
    title: 'gives no time that it read at start',
    why: 'On platform version V2 that is the time of the snapshot, which may be weeks old.',
    todo: 'Read the clock in the handler.',
    requires: 'process',
    run: ofClones(({ clones: [{ output, uses, lived }] }) => {
      const before = { fromMs: lived.fromMs - movedMs, toMs: lived.toMs - movedMs };
      const kept = stampsWithin(output, before);
      return kept.length === 0 ? ok(none) : fault(`${shown(kept)}; ${readAt(uses, 'wall-clock')}`);
    }),
  },
  {
    id: 'snapshot.duration',
    title: 'measures no duration from its start',
    why: 'On platform version V2 the monotonic clock stands still between the snapshot and the session, and the wall clock does not.',
    todo: 'Take the time from which you measure in the handler.',
    requires: 'process',
    run: ofClones(({ clones: [{ output, uses, lived }] }) => {
      const reads = (at: SharedUse['at']): number[] =>
        uses.flatMap((use) => (use.kind === 'monotonic-clock' && use.at === at ? [Number(use.value)] : []));
      const measured = durationsIn(output, {
        movedMs,
        sessionMs: lived.toMs - lived.fromMs,
        // What is measured from nothing is measured from the start of the process.
        startReadsMs: [0, ...reads('start')],
        sessionReadsMs: reads('session'),
      });
      if (measured.length === 0) return ok(none);
      return fault(`${shown(measured)}; ${readAt(uses, 'monotonic-clock', 'wall-clock')}`);
    }),
  },
  {
    id: 'snapshot.socket',
    title: 'keeps no connection from its start',
    why: 'On platform version V2 it is dead in every session: the first call over it fails.',
    todo: 'Connect in the handler, or let the client try once more on a connection that was reset.',
    requires: 'process',
    run: ofClones(({ clones: [{ uses }] }) => {
      const dead = uses.filter(({ kind }) => kind === 'dead-socket');
      return dead.length === 0
        ? ok(none)
        : fault(`to ${namesOf(dead)}, opened at ${placesOf(dead)}, used in the session`);
    }),
  },
  {
    id: 'snapshot.host-name',
    title: 'takes neither the host name nor the process id for a name',
    why: 'On platform version V2 they are localhost and 1 in every session: locks and logs have one owner.',
    todo: 'Use context.sessionId.',
    requires: 'process',
    run: ofClones(({ clones: [{ uses }] }) => {
      const named = uses.filter(({ kind }) => kind === 'host-name' || kind === 'process-id');
      return named.length === 0 ? ok(none) : warning(`read at ${placesOf(named)}`);
    }),
  },
  {
    id: 'snapshot.credentials',
    title: 'asks for credentials when it uses them',
    why: 'On platform version V2 those that were read at start have expired when a session begins.',
    todo: "Leave it to the SDK's default provider, or read them in the handler.",
    requires: 'process',
    run: ofClones(({ clones: [{ uses }] }) => {
      const used = uses.filter(({ kind, at }) => kind === 'credential' && at === 'session');
      if (used.length === 0) return ok(none);
      const read = uses.filter(({ kind, at }) => kind === 'credential' && at === 'start');
      return fault(`read at ${placesOf(read)}, used in the session`);
    }),
  },
  {
    id: 'snapshot.fetched',
    title: 'fetches nothing at start',
    why: 'On platform version V2 what it has fetched, tools or prompts, stays as it was until the next deployment.',
    todo: 'Fetch it at the first request of a session, once; see "Sessions from a snapshot".',
    requires: 'process',
    run: ofClones(({ clones: [{ uses }] }) => {
      const kept = new Set(
        uses.flatMap(({ kind, stack }) => (kind === 'dead-socket' ? [ownPlace(stack)] : [])),
      );
      const calls = uses.filter(({ kind, at, stack }) => {
        const place = ownPlace(stack);
        return kind === 'call' && at === 'start' && place !== undefined && !kept.has(place);
      });
      return calls.length === 0 ? ok(none) : warning(`${namesOf(calls)} at ${placesOf(calls)}`);
    }),
  },
];

function readAt(uses: ClonedSession['uses'], ...kinds: SharedUse['kind'][]): string {
  const reads = uses.filter(({ kind, at }) => at === 'start' && kinds.includes(kind));
  return reads.length === 0 ? 'not observed where it was read' : `read at start at ${placesOf(reads)}`;
}

function drawnAt(draws: SharedUse[]): string {
  return draws.length === 0 ? 'not observed where it was drawn' : `drawn at start at ${placesOf(draws)}`;
}

function shown(values: readonly SharedValue[]): string {
  const some = values.slice(0, mostPlaces).map(({ where, value }) => `${where} ${JSON.stringify(value)}`);
  return some.map((text) => text.slice(0, 120)).join(', ');
}

function namesOf(uses: readonly SharedUse[]): string {
  return [...new Set(uses.map(({ name }) => name ?? ''))].slice(0, mostPlaces).join(', ');
}

function placesOf(uses: readonly SharedUse[]): string {
  // Places in the agent's own code first: they are where it can be mended.
  const own = uses.filter(({ stack }) => ownPlace(stack) !== undefined);
  const places = new Set((own.length > 0 ? own : uses).map(({ stack }) => placeOf(stack)));
  return [...places].slice(0, mostPlaces).join(', ');
}

/** The place in the agent's own code, and the package through which it was reached. */
function placeOf(stack: readonly string[]): string {
  const place = ownPlace(stack);
  const through = packageOf(stack[0]);
  const described =
    place === undefined ? (through ?? 'a place that was not observed') : relative(process.cwd(), place);
  return place === undefined || through === undefined ? described : `${described} through ${through}`;
}

function ownPlace(stack: readonly string[]): string | undefined {
  return stack.find((place) => packageOf(place) === undefined);
}

/** The package that a file belongs to; undefined for what the agent's author wrote. */
function packageOf(place: string | undefined): string | undefined {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(place ?? '') ?? [];
  return name;
}

import type { Adoption } from '../../batch/batch-record.ts';
import type { RolloutRecorder } from '../../lifecycle/rollout-recorder.ts';
import { adoptRollout, type AdoptRolloutParts } from '../resume/adopt-rollout.ts';
import type { OpenSession, PastRollout, RunHistory } from './run-history.ts';
import type { RolloutPlace, RunJournal } from './run-journal.ts';

export type RunKeeperParts = Omit<AdoptRolloutParts, 'agentSpeaksRip' | 'onStopped'>;

/** Where a rollout may have been before: an item, or an attempt of a member of a group. */
export type PastPlace = Pick<RolloutPlace, 'index'> & Partial<Pick<RolloutPlace, 'member' | 'attempt'>>;

/** A run's journal and what it says of earlier processes, in the terms of the engine. */
export class RunKeeper {
  readonly journal: RunJournal;
  readonly #history: RunHistory | undefined;
  readonly #parts: RunKeeperParts;
  /** Rollouts of earlier processes that this one has dealt with, or does. */
  readonly #taken = new Set<number>();
  readonly #openByItem: Map<number, OpenSession[]>;

  constructor(journal: RunJournal, history: RunHistory | undefined, parts: RunKeeperParts) {
    this.journal = journal;
    this.#history = history;
    this.#parts = parts;
    this.#openByItem = Map.groupBy(history?.openSessions() ?? [], ({ index }) => index);
  }

  /** Rollouts of earlier processes, in order. */
  pastOf({ index, member, attempt }: PastPlace): readonly PastRollout[] {
    const all = this.#history?.rolloutsOf(index) ?? [];
    if (member === undefined) return all;
    return all.filter((past) => past.member === member && past.attempt === attempt);
  }

  async adopt(past: PastRollout, signal: AbortSignal): Promise<Adoption> {
    const adoption = await adoptRollout(
      past,
      {
        ...this.#parts,
        agentSpeaksRip: this.#history?.agentSpeaksRip,
        onStopped: ({ rollout }, result) => this.journal.stopped(rollout, result),
      },
      signal,
    );
    // Written down, so that the next process need not find it out again; its session was stopped on the way.
    if (adoption.kind === 'recalled' && past.state.phase === 'intended')
      this.adoptedRecorder(past).settled(adoption.outcome, true);
    return adoption;
  }

  recorder(place: RolloutPlace, payload: unknown): RolloutRecorder {
    return this.journal.recorder(place, payload);
  }

  adoptedRecorder({ rollout }: PastRollout): RolloutRecorder {
    this.#taken.add(rollout);
    return this.journal.adoptedRecorder(rollout);
  }

  /** Sessions that an earlier process was done with and has not been seen to stop; they are the caller's to stop now. */
  takeSettledSessions(): OpenSession[] {
    return this.#take((session) => session.isSettled);
  }

  /** Sessions of an item that nobody will look after any more, now that the item is settled. */
  takeSessionsOf(index: number): OpenSession[] {
    const ofItem = this.#openByItem.get(index);
    if (ofItem === undefined) return [];
    this.#openByItem.delete(index);
    return this.#takeAll(ofItem);
  }

  /** Every session of earlier processes that nobody looks after. */
  takeForsakenSessions(): OpenSession[] {
    return this.#take(() => true);
  }

  #take(isMeant: (session: OpenSession) => boolean): OpenSession[] {
    return this.#takeAll([...this.#openByItem.values()].flat().filter(isMeant));
  }

  #takeAll(sessions: readonly OpenSession[]): OpenSession[] {
    const left = sessions.filter(({ rollout }) => !this.#taken.has(rollout));
    for (const { rollout } of left) this.#taken.add(rollout);
    return left;
  }
}

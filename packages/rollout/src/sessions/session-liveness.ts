import type { Clock } from '@art/async';
import { ArtError, type AgentRuntime } from '@art/protocol';
import type { ResultStore } from '@art/store';
import type { StoredAddress } from '../request/rollout-request.ts';
import { askInvocation, type InvocationReport } from './ask-invocation.ts';
import { DurationRecord } from './duration-record.ts';
import type { LivenessRules } from './liveness-options.ts';
import { fallenSession, lostSession } from './lost-session.ts';
import { QuestionSchedule } from './question-schedule.ts';

export interface SessionLivenessParts {
  runtime: AgentRuntime;
  store: ResultStore;
  clock: Clock;
  rules: LivenessRules;
}

/** A rollout whose session works on it. */
export interface WorkingRollout {
  address: StoredAddress;
  /** Whether its agent can be asked; others are counted and never asked. */
  speaksRip: boolean;
  /** Called at most once, when the session turns out to have died. */
  onLost: (error: ArtError) => void;
}

/** What a rollout does with its place among the others. */
export interface WorkingPlace {
  /** The result is there: its duration counts. */
  noticed(): void;
  /** It is over for another reason. */
  end(): void;
}

const answerTimeoutMs = 30_000;
const shareOfMedian = 0.1;
const longestPauseMs = 60_000;
// The machine that replaces one that fell over needs a moment, and then says that it knows nothing.
const askAfterDeathMs = 5_000;
const mostDeaths = 6;
// The store shows a result at once; one that is still missing at the second answer was accepted and then lost.
const completedAnswersToDoubt = 2;

/** Finds out which sessions have died without a result, long before their deadline: they are asked now and then. */
export class SessionLiveness {
  readonly #parts: SessionLivenessParts;
  readonly #durations = new DurationRecord();
  readonly #schedule: QuestionSchedule;

  constructor(parts: SessionLivenessParts) {
    this.#parts = parts;
    this.#schedule = new QuestionSchedule({ clock: parts.clock, perSecond: parts.rules.callsPerSecond });
  }

  add(rollout: WorkingRollout): WorkingPlace {
    const { clock, rules } = this.#parts;
    const acceptedMs = clock.nowMs();
    const count = (): void => this.#durations.add(clock.nowMs() - acceptedMs);
    if (!rollout.speaksRip) return { noticed: count, end: () => undefined };
    const ending = new AbortController();
    let completedAnswers = 0;
    let deaths = 0;
    const end = (): void => {
      remove();
      ending.abort(new Error('the rollout is over'));
    };
    const question = {
      dueAtMs: acceptedMs + rules.firstAfterMs,
      ask: async (): Promise<void> => {
        const { address } = rollout;
        const parts = { ...this.#parts, signal: ending.signal, timeoutMs: answerTimeoutMs };
        const report = await askInvocation(address, parts);
        if (ending.signal.aborted) return;
        completedAnswers = report.status === 'completed' ? completedAnswers + 1 : 0;
        deaths = report.status === 'died' ? deaths + 1 : 0;
        const isUnsettled = report.status === 'completed' || report.status === 'died';
        question.dueAtMs = clock.nowMs() + (isUnsettled ? this.#soonMs : this.#pauseMs);
        if (report.status === 'mute') {
          end();
          return;
        }
        const problem = problemOf(report, { address, completedAnswers, deaths });
        if (problem === undefined || (await this.#isStored(address, ending.signal)) || ending.signal.aborted)
          return;
        end();
        rollout.onLost(problem);
      },
    };
    const remove = this.#schedule.add(question);
    return {
      noticed: () => {
        count();
        end();
      },
      end,
    };
  }

  get #pauseMs(): number {
    const learntMs = shareOfMedian * (this.#durations.medianMs ?? 0);
    return Math.max(this.#parts.rules.everyMs, Math.min(longestPauseMs, learntMs));
  }

  get #soonMs(): number {
    return Math.min(askAfterDeathMs, this.#parts.rules.everyMs);
  }

  // A result that is there after all is the watcher's to notice; a store that cannot say so now leaves the matter open.
  async #isStored({ bucket, resultKey }: StoredAddress, signal: AbortSignal): Promise<boolean> {
    try {
      return await this.#parts.store.exists({ bucket, key: resultKey }, { signal });
    } catch {
      return true;
    }
  }
}

interface Doubts {
  address: StoredAddress;
  /** How often in a row the session said that the rollout has ended. */
  completedAnswers: number;
  deaths: number;
}

function problemOf(
  report: InvocationReport,
  { address, completedAnswers, deaths }: Doubts,
): ArtError | undefined {
  const { sessionId, resultKey, bucket } = address;
  switch (report.status) {
    case 'interrupted':
    case 'not_found':
      return lostSession(sessionId, report);
    case 'died':
      return deaths < mostDeaths ? undefined : fallenSession(sessionId, deaths, report.error);
    case 'completed': {
      if (completedAnswers < completedAnswersToDoubt) return undefined;
      const said = report.error === undefined ? '' : ` (with the error ${JSON.stringify(report.error)})`;
      return new ArtError({
        code: 'ART_ROLLOUT_LOST',
        message: `Session ${sessionId} says that the rollout has ended${said}, but bucket ${JSON.stringify(bucket)} has nothing under ${JSON.stringify(resultKey)}. Do agent and client use the same store, may the agent write to it, and does anything delete from it?`,
      });
    }
    default:
      return undefined;
  }
}

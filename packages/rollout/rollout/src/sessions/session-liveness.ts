import { type Clock, linkSignals, ArtError } from '@art/ground';
import { type AgentRuntime } from '@art/protocol';
import { StoreError, type ResultStore } from '@art/store';
import type { StoredAddress } from '../request/rollout-request.ts';
import { askInvocation, type InvocationReport } from './ask-invocation.ts';
import { DurationModel } from './duration-model.ts';
import type { LivenessRules } from './liveness-options.ts';
import { crashedSessionError, lostSessionError, unsavedError } from './lost-session-error.ts';
import { QuestionSchedule } from './question-schedule.ts';

export interface SessionLivenessDeps {
  runtime: AgentRuntime;
  store: ResultStore;
  clock: Clock;
  rules: LivenessRules;
  /** Called with what an agent says that cannot reach its model. */
  onUnreachable: (told: string) => void;
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
  readonly #deps: SessionLivenessDeps;
  readonly #durations = new DurationModel();
  readonly #schedule: QuestionSchedule;

  constructor(deps: SessionLivenessDeps) {
    this.#deps = deps;
    this.#schedule = new QuestionSchedule(deps.clock, deps.rules.callsPerSecond);
  }

  /** A result was noticed so long after its agent had accepted: so long do rollouts take. */
  noticed(durationMs: number): void {
    this.#durations.lived(0, durationMs);
    this.#durations.ended(durationMs);
  }

  /**
   * Asks for a rollout from now on.
   * @param outer aborts when it is over
   * @returns a signal that also aborts when its session turns out to have died, with an ArtError, and what ends the asking
   */
  watch(address: StoredAddress, outer: AbortSignal): { signal: AbortSignal; end: () => void } {
    const { clock, rules } = this.#deps;
    const link = linkSignals(outer);
    const { signal } = link;
    let completedAnswers = 0;
    let deaths = 0;
    const remove = this.#schedule.add(clock.nowMs() + rules.firstAfterMs, async () => {
      const report = await askInvocation(address, this.#deps, signal, answerTimeoutMs);
      if (signal.aborted || report.status === 'not_rip') return undefined;
      if (report.status === 'in_progress' && report.unreachable !== undefined)
        this.#deps.onUnreachable(report.unreachable);
      completedAnswers = report.status === 'completed' ? completedAnswers + 1 : 0;
      deaths = report.status === 'crashed' ? deaths + 1 : 0;
      const isUnsettled = report.status === 'completed' || report.status === 'crashed';
      const nextMs = clock.nowMs() + (isUnsettled ? this.#soonMs : this.#pauseMs);
      const problem = problemOf(report, { address, completedAnswers, deaths });
      if (problem === undefined || (await this.#isStored(address, signal, problem))) return nextMs;
      link.abort(problem);
      return undefined;
    });
    const end = (): void => {
      remove();
      link.unlink();
      link.abort(new Error('the rollout is over'));
    };
    return { signal, end };
  }

  get #pauseMs(): number {
    const learntMs = shareOfMedian * (this.#durations.medianMs ?? 0);
    return Math.max(this.#deps.rules.everyMs, Math.min(longestPauseMs, learntMs));
  }

  get #soonMs(): number {
    return Math.min(askAfterDeathMs, this.#deps.rules.everyMs);
  }

  // A result that is there after all is the watcher's to notice. A store that cannot say so now leaves the matter open, unless
  // the agent fails with it too.
  async #isStored(
    { bucket, resultKey }: StoredAddress,
    signal: AbortSignal,
    problem: ArtError,
  ): Promise<boolean> {
    try {
      return await this.#deps.store.exists({ bucket, key: resultKey }, { signal });
    } catch {
      return !StoreError.isInstance(problem);
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
  if ('unsaved' in report && report.unsaved !== undefined)
    return unsavedError({ bucket, key: resultKey }, report.unsaved);
  switch (report.status) {
    case 'interrupted':
    case 'not_found':
      return lostSessionError(sessionId, report);
    case 'crashed':
      return deaths < mostDeaths ? undefined : crashedSessionError(sessionId, deaths, report.error);
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

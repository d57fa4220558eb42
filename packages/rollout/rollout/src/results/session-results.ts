import { ArtError, describeValue, isJsonObject } from '@art/ground';
import { parseInvocationState, type InvocationState, type RolloutOutcome } from '@art/protocol';
import type { AwaitedRollout, ReadResult, ResultSource, Submission } from '../lifecycle/result-source.ts';
import type { RolloutDeps } from '../lifecycle/rollout-deps.ts';
import type { RolloutAddress } from '../request/rollout-request.ts';
import { askInvocation, type InvocationReport } from '../sessions/ask-invocation.ts';
import { DurationModel } from '../sessions/duration-model.ts';
import { crashedSessionError, lostSessionError } from '../sessions/lost-session-error.ts';
import { QuestionSchedule } from '../sessions/question-schedule.ts';
import { outcomeOfState } from './outcome-of-document.ts';
import { readProductionAnswer } from './production-answer.ts';

type EndState = Exclude<InvocationState, { status: 'in_progress' }>;

// How long a result is expected to lie unnoticed when its session is asked: the price of a question in lag.
const worthwhileLagMs = 150;
const shortestPauseMs = 250;
// Bounds the lag of those that end when few do, and the time for which a dead session goes unnoticed; what has taken minutes may
// lie for longer.
const usualPauseMs = 3_500;
const shareOfAge = 0.05;
const longestPauseMs = 20_000;
const longestLocalPauseMs = 1_000;
const firstPatienceMs = 30_000;
const longestPatienceMs = 480_000;
const lastLookMs = 5_000;
// The machine that replaces one that fell over needs a moment, and then says that it knows nothing.
const askAfterDeathMs = 3_000;
const mostDeaths = 6;
const unansweredToWarn = 20;
// AgentCore's words for an answer of the agent's own; 502 to 504 mean that its container is gone.
const handlerFailure = /Received error \(500\) from runtime/;

interface SessionResultsDeps extends Pick<RolloutDeps, 'runtime' | 'clock' | 'warn'> {
  /** Called with what an agent says that cannot reach its model. */
  onUnreachable: (told: string) => void;
}

/** Results in the sessions that worked for them, asked for by RIP's `get` until their sessions are stopped. */
export class SessionResults implements ResultSource {
  readonly outlivesSessions = false;
  readonly #deps: SessionResultsDeps;
  readonly #durations = new DurationModel();
  readonly #schedule: QuestionSchedule;
  #unansweredCount = 0;

  /** @param callsPerSecond most questions, over all sessions */
  constructor(deps: SessionResultsDeps, callsPerSecond: number) {
    this.#deps = deps;
    this.#schedule = new QuestionSchedule(deps.clock, callsPerSecond);
  }

  readAnswer({ sessionId, invocationId }: RolloutAddress, body: string): Submission {
    const state = parseInvocationState(body, invocationId) ?? stateOfPlainAnswer(body);
    switch (state.status) {
      case 'in_progress':
        return { kind: 'accepted', speaksRip: true };
      case 'completed': {
        const outcome = outcomeOfState(sessionId, state);
        return { kind: 'ready', read: () => Promise.resolve(outcome), isAnswer: true };
      }
      case 'interrupted':
      case 'not_found':
        throw lostSessionError(sessionId, state);
    }
  }

  /** A server without this toolkit's class says by its status that its handler failed. */
  readFailure({ sessionId }: RolloutAddress, error: unknown): RolloutOutcome | undefined {
    const hasFailed = ArtError.isInstance(error) && handlerFailure.test(error.message);
    return hasFailed ? outcomeOfState(sessionId, { status: 'completed', error: error.message }) : undefined;
  }

  /** A start that is repeated tells as much as a question would, and starts what never began. */
  find(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async whenReady({ address, isNew }: AwaitedRollout, signal: AbortSignal): Promise<ReadResult> {
    const state = await this.#ended(address, isNew, signal);
    if (state.status !== 'completed') throw lostSessionError(address.sessionId, state);
    const outcome = outcomeOfState(address.sessionId, state);
    return () => Promise.resolve(outcome);
  }

  async lastLook(address: RolloutAddress): Promise<RolloutOutcome | undefined> {
    const signal = new AbortController().signal;
    const report = await askInvocation(address, this.#deps, signal, lastLookMs);
    return isEnd(report) ? outcomeOfState(address.sessionId, report) : undefined;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** @throws ArtError `ART_ROLLOUT_LOST` for a session that falls over each time it is asked; the signal's reason */
  async #ended(address: RolloutAddress, isNew: boolean, signal: AbortSignal): Promise<EndState> {
    const { clock } = this.#deps;
    const { promise: ended, resolve, reject } = Promise.withResolvers<EndState>();
    const acceptedMs = clock.nowMs();
    let patienceMs = firstPatienceMs;
    let aliveAtAgeMs = 0;
    let deaths = 0;
    const ask = async (): Promise<number | undefined> => {
      const report = await askInvocation(address, this.#deps, signal, patienceMs);
      if (signal.aborted) return undefined;
      const ageMs = clock.nowMs() - acceptedMs;
      deaths = report.status === 'crashed' || report.status === 'not_rip' ? deaths + 1 : 0;
      this.#noteUnanswered(report);
      if (isEnd(report)) {
        if (isNew && report.status === 'completed') this.#learnEnd(aliveAtAgeMs, ageMs);
        resolve(report);
        return undefined;
      }
      if (report.status === 'in_progress') {
        if (report.unreachable !== undefined) this.#deps.onUnreachable(report.unreachable);
        if (isNew) this.#durations.lived(aliveAtAgeMs, ageMs);
        aliveAtAgeMs = ageMs;
        return acceptedMs + this.#nextLookMs(ageMs);
      }
      if (deaths >= mostDeaths) {
        reject(crashedSessionError(address.sessionId, deaths, report.error));
        return undefined;
      }
      if (report.status !== 'not_rip' && report.isLate)
        patienceMs = Math.min(longestPatienceMs, patienceMs * 2);
      return clock.nowMs() + askAfterDeathMs;
    };
    // What an earlier process began may have ended long ago.
    const remove = this.#schedule.add(isNew ? acceptedMs + this.#nextLookMs(0) : acceptedMs, ask);
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      return await ended;
    } finally {
      remove();
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** The age at which a session that was at work at `ageMs` is asked again. */
  #nextLookMs(ageMs: number): number {
    const learntMs = this.#durations.nextLookMs(ageMs, worthwhileLagMs);
    const boundMs = Math.min(longestPauseMs, Math.max(usualPauseMs, shareOfAge * ageMs));
    const longestMs = this.#deps.runtime.isLocal === true ? longestLocalPauseMs : boundMs;
    return Math.max(ageMs + shortestPauseMs, Math.min(ageMs + longestMs, learntMs));
  }

  // When it ended lies between two answers; the middle is as good a guess as any.
  #learnEnd(aliveAtAgeMs: number, ageMs: number): void {
    const endedMs = (aliveAtAgeMs + ageMs) / 2;
    this.#durations.lived(aliveAtAgeMs, endedMs);
    this.#durations.ended(endedMs);
  }

  #noteUnanswered(report: InvocationReport): void {
    this.#unansweredCount = report.status === 'unreachable' ? this.#unansweredCount + 1 : 0;
    if (this.#unansweredCount !== unansweredToWarn || report.status !== 'unreachable') return;
    this.#deps.warn(
      `The last ${unansweredToWarn} questions for results got no answer, the last one: ${report.error.message}`,
    );
  }
}

function isEnd(report: InvocationReport): report is EndState {
  const { status } = report;
  return status === 'completed' || status === 'interrupted' || status === 'not_found';
}

/** The answer of an agent that passes over the envelope: it has run in place, and this is its result. */
function stateOfPlainAnswer(body: string): InvocationState {
  const result = readProductionAnswer(body);
  // What a rollout agent of the older wire says when it has taken work on whose result nobody will ever see.
  if (isJsonObject(result) && result['status'] === 'processing') {
    throw new ArtError({
      code: 'ART_INVALID_REPLY',
      message: `The agent took the request on without the Runtime Invocation Protocol and answered ${describeValue(body)}: its result would go nowhere. Give the client a bucket, where such an agent stores results, or let the agent speak the protocol.`,
    });
  }
  return { status: 'completed', result };
}

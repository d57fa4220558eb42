import {
  ArtError,
  type ErrorCode,
  fitting,
  joinSentences,
  type OptionRule,
  type RolloutOutcome,
} from '@art/protocol';
import { isFailedStart } from '../lifecycle/outcome-of-failure.ts';

type Failure = Exclude<RolloutOutcome, { kind: 'ok' }>;

const failedStartsToEnd = 5;
// After so many failures without a common reason, none is looked for any more.
const failedStartsToGoOn = 20;
// One failure among the first two would be half of them.
const fewestForShare = 20;

/**
 * Decides when a run is not worth going on with: when more rollouts fail than its caller allows, and when its first sessions
 * all fail to start for one reason.
 */
export class FailureWatch {
  readonly #maxFailures: number | undefined;
  readonly #failedStarts = new Map<string, number>();
  #failedStartCount = 0;
  /** Or that it does not matter. */
  #hasStarted: boolean;
  #settled = 0;
  #failed = 0;

  constructor(maxFailures: number | undefined) {
    this.#maxFailures = maxFailures;
    this.#hasStarted = maxFailures === Number.POSITIVE_INFINITY;
  }

  /** Whether nothing has shown yet that sessions can start. */
  get isUndecided(): boolean {
    return !this.#hasStarted;
  }

  /** Whether an error may be that of something which keeps every session from starting, and is mended before a resume. */
  mayBeForgiven(code: ErrorCode): boolean {
    return this.isUndecided && isFailedStart(code);
  }

  /** An agent has taken up its work. */
  started(): void {
    this.#hasStarted = true;
  }

  /** One session has come to its end. The error to end the run with, where it is to end. */
  attemptEnded(outcome: RolloutOutcome): ArtError | undefined {
    return outcome.kind !== 'ok' && isFailedStart(outcome.error.code)
      ? this.#countFailedStart(outcome)
      : undefined;
  }

  /** A rollout has ended for good. The error to end the run with, where it is to end. */
  rolloutEnded(outcome: RolloutOutcome, wasSent: boolean): ArtError | undefined {
    this.#settled += 1;
    if (outcome.kind === 'ok' || outcome.kind === 'cancelled') return undefined;
    this.#failed += 1;
    // What may pass, such as a network that is down, counts when the retries are used up; a lack of room never does.
    const mayPass = wasSent && outcome.kind !== 'throttled' && !isFailedStart(outcome.error.code);
    return (mayPass ? this.#countFailedStart(outcome) : undefined) ?? this.#tooMany(outcome);
  }

  #countFailedStart({ error }: Failure): ArtError | undefined {
    if (this.#hasStarted) return undefined;
    const reason = `${error.code} ${withoutIds(error.message)}`;
    const count = (this.#failedStarts.get(reason) ?? 0) + 1;
    this.#failedStarts.set(reason, count);
    this.#failedStartCount += 1;
    if (count < failedStartsToEnd) {
      if (this.#failedStartCount >= failedStartsToGoOn) this.#hasStarted = true;
      return undefined;
    }
    return new ArtError({
      code: 'ART_TOO_MANY_FAILURES',
      message: joinSentences(
        `The run was ended: its first ${failedStartsToEnd} sessions all failed for one reason. ${error.code}: ${error.message}`,
        'Mend it and run again, or resume from the journal. With maxFailures Infinity a run goes on whatever fails',
      ),
      cause: error,
    });
  }

  #tooMany({ error }: Failure): ArtError | undefined {
    const most = this.#maxFailures;
    if (most === undefined) return undefined;
    const isShare = most > 0 && most < 1;
    if (isShare && this.#settled < fewestForShare) return undefined;
    if (this.#failed <= (isShare ? most * this.#settled : most)) return undefined;
    return new ArtError({
      code: 'ART_TOO_MANY_FAILURES',
      message: joinSentences(
        `The run was ended: ${this.#failed} of ${this.#settled} rollouts failed, more than maxFailures ${most} allows. The last one: ${error.code}: ${error.message}`,
        'Mend it and run again, or resume from the journal',
      ),
      cause: error,
    });
  }
}

export const aMaxFailures: OptionRule<number> = fitting(
  'a number of rollouts, a share between 0 and 1, or Infinity',
  (value) =>
    value === Number.POSITIVE_INFINITY ||
    (typeof value === 'number' && value >= 0 && (value < 1 || Number.isInteger(value))),
);

/** Session and request ids differ from one session to the next, and so do numbers; the reason does not. */
function withoutIds(message: string): string {
  return message.replace(/[\w-]{32,}|\d+/g, '#');
}

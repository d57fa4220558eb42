import { pause } from '@art/async';
import type { IndexedSource } from '@art/journal';
import type { CaptureReward } from '../lifecycle/rollout-capture.ts';
import type { Rollout } from '../lifecycle/rollout.ts';
import type { Attempt, AttemptEnd } from '../pool/attempt.ts';
import type { BatchProgress } from '../pool/batch-progress.ts';
import type { Scheduler, SchedulerParts } from '../pool/scheduler.ts';
import { generatedInputId } from '../request/rollout-ids.ts';
import type { RolloutChoices } from '../request/rollout-request.ts';
import { resolveGroupRules, type GroupOptions, type GroupRules } from './group-options.ts';
import { failureRule } from './group-policy.ts';
import type { Group, GroupKind } from './group.ts';
import { judgeOutcome } from './judge-outcome.ts';
import { OpenGroup } from './open-group.ts';

type GroupAttempt<Input extends object> = Attempt<OpenGroup<Input>>;

/**
 * Makes the attempts that the members of open groups need, and hands groups out as they settle. First come retries and
 * replacements, which hold a group up; then the members of the group that was opened last; then those of the next input.
 */
export class GroupScheduler<Input extends object> implements Scheduler<OpenGroup<Input>> {
  readonly hasRoom = true;
  readonly rewardOf: CaptureReward;
  readonly #inputs: IndexedSource<Input>;
  readonly #options: GroupOptions<Input>;
  readonly #parts: SchedulerParts<Group<Input>>;
  readonly #rules: GroupRules;
  readonly #mostSettled: number;
  readonly #open = new Set<OpenGroup<Input>>();
  readonly #settled: Record<GroupKind, number> = { complete: 0, degraded: 0, failed: 0 };
  readonly #first: GroupAttempt<Input>[] = [];
  readonly #further: GroupAttempt<Input>[] = [];
  /** Ends the pauses before retries. */
  readonly #over = new AbortController();
  #inputPhase: 'idle' | 'pulling' | 'ended' = 'idle';
  #inputFailure: { error: unknown } | undefined;
  #rollouts: BatchProgress | undefined;
  #made = 0;
  #wake: () => void = () => undefined;

  constructor(
    inputs: IndexedSource<Input>,
    options: GroupOptions<Input>,
    parts: SchedulerParts<Group<Input>>,
  ) {
    const { maxBufferedGroups, maxConcurrentSessions } = options;
    this.#inputs = inputs;
    this.#options = options;
    this.#parts = parts;
    this.#rules = resolveGroupRules(options);
    this.rewardOf = groupReward(this.#rules);
    this.#mostSettled =
      maxBufferedGroups ?? Math.max(1, Math.floor(maxConcurrentSessions / this.#rules.size));
    parts.outbox.onTaken = () => this.#wake();
  }

  /** @throws what the inputs failed with, after the last attempt */
  async next(): Promise<GroupAttempt<Input> | undefined> {
    for (;;) {
      const attempt = takeOpen(this.#further) ?? takeOpen(this.#first);
      if (attempt !== undefined) {
        attempt.index = this.#made++;
        return attempt;
      }
      if (this.#inputPhase === 'ended' && this.#open.size === 0) {
        if (this.#inputFailure !== undefined) throw this.#inputFailure.error;
        return undefined;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        // Beside the wait and not in it: a data set that is slow must not hold up a retry.
        if (this.#inputPhase === 'idle' && this.#parts.outbox.size < this.#mostSettled) void this.#pull();
      });
    }
  }

  choose({ plan: group, place }: GroupAttempt<Input>): RolloutChoices {
    const { sessionId, overrides } = this.#options;
    const { index, member = 0, attempt } = place;
    const memberPlace = { index, member, attempt };
    return {
      inputId: group.inputId,
      sessionId: sessionId && group.claimSession(sessionId(group.input, memberPlace)),
      overrides: overrides?.(group.input, memberPlace),
    };
  }

  started(attempt: GroupAttempt<Input>, rollout: Rollout): void {
    attempt.plan.started(attempt, rollout.timings.submittedAtMs);
  }

  /** What a resume has called off begins anew under the same number; what else follows is the group's to say. */
  retryAfterMs(_attempt: GroupAttempt<Input>, { isRecalled }: AttemptEnd): number | undefined {
    return isRecalled ? 0 : undefined;
  }

  renew(attempt: GroupAttempt<Input>, end: AttemptEnd): void {
    attempt.renew(attempt.place.attempt, end);
  }

  settled(attempt: GroupAttempt<Input>, end: AttemptEnd): void {
    attempt.plan.settled(attempt, end);
  }

  onProgress(rollouts: BatchProgress): void {
    this.#rollouts = rollouts;
    this.#reportProgress();
  }

  close(): void {
    const wasEnded = this.#inputPhase === 'ended';
    this.#inputPhase = 'ended';
    this.#wake();
    if (!wasEnded) this.#inputs.close();
  }

  /** A deadline of the whole run ends it with members that were never started. */
  drained(): void {
    for (const group of this.#open) group.close();
    this.#over.abort();
  }

  abandon(): void {
    this.#over.abort();
    for (const group of this.#open) group.abandon();
  }

  async #pull(): Promise<void> {
    this.#inputPhase = 'pulling';
    try {
      const next = await this.#inputs.next();
      if (this.#wasClosed) return;
      this.#inputPhase = next === undefined ? 'ended' : 'idle';
      if (next === undefined) this.#parts.session?.record.sourceEnded(this.#inputs.seen);
      else this.#openGroup(next.value, next.index);
    } catch (error) {
      if (this.#wasClosed) return;
      this.#inputPhase = 'ended';
      this.#inputFailure = { error };
    } finally {
      this.#wake();
    }
  }

  // While an input is being waited for, only `close` ends the inputs.
  get #wasClosed(): boolean {
    return this.#inputPhase === 'ended';
  }

  #openGroup(input: Input, index: number): void {
    const { clock, session, inputIdPrefix } = this.#parts;
    this.#open.add(
      new OpenGroup(input, index, {
        rules: this.#rules,
        inputId: this.#options.inputId ?? ((_, index) => generatedInputId(inputIdPrefix, index)),
        clock,
        session,
        launch: (attempt, pauseMs) => this.#launch(attempt, pauseMs),
        onSettled: (group) => this.#handOut(group),
      }),
    );
  }

  #launch(attempt: GroupAttempt<Input>, pauseMs: number): void {
    const add = (): void => {
      (attempt.place.attempt === 0 ? this.#first : this.#further).push(attempt);
      this.#wake();
    };
    if (pauseMs === 0) add();
    else
      void pause(pauseMs, { clock: this.#parts.clock, signal: this.#over.signal }).then(add, () => undefined);
  }

  #handOut(open: OpenGroup<Input>): void {
    const group = open.toGroup();
    this.#open.delete(open);
    this.#settled[group.kind] += 1;
    this.#parts.outbox.push(group);
    this.#reportProgress();
    this.#wake();
  }

  #reportProgress(): void {
    if (this.#rollouts === undefined) return;
    const settled = { ...this.#settled };
    const active = this.#open.size;
    const opened = active + settled.complete + settled.degraded + settled.failed;
    this.#options.onProgress?.({ opened, active, settled, rollouts: this.#rollouts });
  }
}

function takeOpen<Plan>(queue: Attempt<Plan>[]): Attempt<Plan> | undefined {
  for (;;) {
    const attempt = queue.shift();
    if (attempt === undefined || attempt.isOpen) return attempt;
  }
}

/** By the rules of a group: what it would count is kept, failed handlers with a reward of the policy among it. */
function groupReward({ rewardRule, policy }: GroupRules): CaptureReward {
  return (outcome) => {
    const judgement = judgeOutcome(outcome, rewardRule);
    if (judgement.kind === 'rewarded') return judgement.reward;
    const { fallback } = failureRule(policy, judgement.cause);
    return typeof fallback === 'object' ? fallback.reward : undefined;
  };
}

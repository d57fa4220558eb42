import type { IndexedSource } from '@art/journal';
import type { CaptureReward } from '../lifecycle/rollout-capture.ts';
import type { Rollout } from '../lifecycle/rollout.ts';
import type { Attempt, AttemptEnd } from '../pool/attempt.ts';
import type { BatchProgress } from '../pool/batch-progress.ts';
import type { Scheduler, SchedulerParts } from '../pool/scheduler.ts';
import { generatedInputId } from '../request/rollout-ids.ts';
import type { RolloutChoices } from '../request/rollout-request.ts';
import { AttemptSource } from './attempt-source.ts';
import { resolveGroupRules, type GroupOptions, type GroupRules } from './group-options.ts';
import { GroupProgressCounter } from './group-progress.ts';
import { failureRule } from './group-policy.ts';
import { judgeOutcome } from './judge-outcome.ts';
import type { Group } from './group.ts';
import { OpenGroup } from './open-group.ts';

/** Makes the attempts that the members of open groups need, and hands groups out as they settle. */
export class GroupScheduler<Input extends object> implements Scheduler<OpenGroup<Input>> {
  readonly hasRoom = true;
  readonly rewardOf: CaptureReward;
  readonly #options: GroupOptions<Input>;
  readonly #parts: SchedulerParts<Group<Input>>;
  readonly #rules: GroupRules;
  readonly #source: AttemptSource<Input>;
  readonly #open = new Set<OpenGroup<Input>>();
  /** What cancels the pauses before retries. */
  readonly #pauses = new Set<() => void>();
  readonly #progress = new GroupProgressCounter();
  #rollouts: BatchProgress | undefined;
  #made = 0;

  constructor(
    inputs: IndexedSource<Input>,
    options: GroupOptions<Input>,
    parts: SchedulerParts<Group<Input>>,
  ) {
    this.#options = options;
    this.#parts = parts;
    this.#rules = resolveGroupRules(options);
    this.rewardOf = groupReward(this.#rules);
    const most =
      options.maxBufferedGroups ?? Math.max(1, Math.floor(options.maxConcurrentSessions / this.#rules.size));
    parts.outbox.onTaken = () => this.#source.wake();
    this.#source = new AttemptSource(inputs, {
      hasRoom: () => parts.outbox.size < most,
      hasOpenGroups: () => this.#open.size > 0,
      open: (input, index) => this.#openGroup(input, index),
      onEnded: (count) => parts.session?.record.sourceEnded(count),
    });
  }

  async next(): Promise<Attempt<OpenGroup<Input>> | undefined> {
    const attempt = await this.#source.next();
    if (attempt !== undefined) attempt.index = this.#made++;
    return attempt;
  }

  choose({ plan: group, place }: Attempt<OpenGroup<Input>>): RolloutChoices {
    const { sessionId, overrides } = this.#options;
    const { index, member = 0, attempt } = place;
    const memberPlace = { index, member, attempt };
    return {
      inputId: group.inputId,
      sessionId: sessionId && group.claimSession(sessionId(group.input, memberPlace)),
      overrides: overrides?.(group.input, memberPlace),
    };
  }

  started(attempt: Attempt<OpenGroup<Input>>, rollout: Rollout): void {
    attempt.plan.started(attempt, rollout.timings.submittedAtMs);
  }

  /** What a resume has called off begins anew under the same number; what else follows is the group's to say. */
  retryAfterMs(_attempt: Attempt<OpenGroup<Input>>, { isRecalled }: AttemptEnd): number | undefined {
    return isRecalled ? 0 : undefined;
  }

  renew(attempt: Attempt<OpenGroup<Input>>, end: AttemptEnd): void {
    attempt.renew(attempt.place.attempt, end);
  }

  settled(attempt: Attempt<OpenGroup<Input>>, end: AttemptEnd): void {
    attempt.plan.settled(attempt, end);
  }

  onProgress(rollouts: BatchProgress): void {
    this.#rollouts = rollouts;
    this.#reportProgress();
  }

  close(): void {
    this.#source.close();
  }

  /** A deadline of the whole run ends it with members that were never started. */
  drained(): void {
    for (const group of this.#open) group.close();
    this.#endPauses();
  }

  abandon(): void {
    this.#endPauses();
    for (const group of this.#open) group.abandon();
  }

  #openGroup(input: Input, index: number): void {
    const { clock, session, inputIdPrefix } = this.#parts;
    this.#progress.opened();
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

  #launch(attempt: Attempt<OpenGroup<Input>>, pauseMs: number): void {
    if (pauseMs === 0) {
      this.#source.add(attempt);
      return;
    }
    const cancel = this.#parts.clock.after(pauseMs, () => {
      this.#pauses.delete(cancel);
      this.#source.add(attempt);
    });
    this.#pauses.add(cancel);
  }

  #endPauses(): void {
    for (const cancel of this.#pauses) cancel();
    this.#pauses.clear();
  }

  #handOut(open: OpenGroup<Input>): void {
    const group = open.toGroup();
    this.#open.delete(open);
    this.#progress.settled(group.kind);
    this.#parts.outbox.push(group);
    this.#reportProgress();
    this.#source.wake();
  }

  #reportProgress(): void {
    if (this.#rollouts !== undefined) this.#options.onProgress?.(this.#progress.snapshot(this.#rollouts));
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

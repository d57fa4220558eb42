import type { IndexedSource } from '@art/journal';
import { ArtError } from '@art/protocol';
import { noRetries } from '../batch/retry-policy.ts';
import { BatchRun, type BatchParts } from '../batch/batch-run.ts';
import type { BatchItem } from '../batch/batch-item.ts';
import type { AttemptRecord } from '../batch/batch-record.ts';
import type { BatchOptions } from '../batch/batch-options.ts';
import type { BatchProgress } from '../batch/batch-progress.ts';
import { groupReward } from '../gateway/group-reward.ts';
import type { RolloutEvent } from '../rollout-event.ts';
import type { Attempt } from './attempt.ts';
import { AttemptSource, type QueuedAttempt } from './attempt-source.ts';
import { resolveGroupRules, type GroupOptions, type GroupRules, type MemberPlace } from './group-options.ts';
import { GroupProgressCounter } from './group-progress.ts';
import { memberRecord } from './group-record.ts';
import type { Group } from './group.ts';
import { OpenGroup } from './open-group.ts';

/** What a run of groups needs of its client. */
export interface GroupRunParts extends Omit<BatchParts, 'record'> {
  /** @default nothing is written down */
  record?: AttemptRecord | undefined;
  /** The input id of a group whose caller chose none. */
  generateInputId: (index: number) => string;
}

type Phase =
  | { name: 'running' }
  /** The batch is over: what is settled is handed out, then the failure is thrown. */
  | { name: 'ended'; failure: { error: unknown } | undefined }
  | { name: 'stopping'; reason: unknown };

/**
 * One run of groups: a batch whose payloads are the attempts of all groups' members, so that one limit and one deadline
 * hold for everything. Groups are opened as the batch asks for payloads, and handed to the consumer as they settle.
 */
export class GroupRun<Input extends object> {
  readonly #options: GroupOptions<Input>;
  readonly #parts: GroupRunParts;
  readonly #rules: GroupRules;
  readonly #source: AttemptSource<Input>;
  readonly #batch: BatchRun;
  readonly #open = new Set<OpenGroup<Input>>();
  readonly #ready: Group<Input>[] = [];
  /** What cancels the pauses before retries. */
  readonly #pauses = new Set<() => void>();
  readonly #progress = new GroupProgressCounter();
  #rollouts: BatchProgress | undefined;
  #phase: Phase = { name: 'running' };
  #wakeConsumer: () => void = () => undefined;

  constructor(inputs: IndexedSource<Input>, options: GroupOptions<Input>, parts: GroupRunParts) {
    this.#options = options;
    this.#parts = parts;
    this.#rules = resolveGroupRules(options);
    const rewardOf = groupReward(this.#rules);
    const most =
      options.maxBufferedGroups ?? Math.max(1, Math.floor(options.maxConcurrentSessions / this.#rules.size));
    this.#source = new AttemptSource(inputs, {
      hasRoom: () => this.#ready.length < most,
      hasOpenGroups: () => this.#open.size > 0,
      open: (input, index) => this.#openGroup(input, index),
      onEnded: (count) => parts.record?.sourceEnded(count),
    });
    this.#batch = new BatchRun(this.#source, this.#batchOptions(), {
      clock: parts.clock,
      dropCapture: parts.dropCapture,
      warn: parts.warn,
      start: (start) => {
        const rollout = parts.start({ ...start, rewardOf });
        const queued = this.#source.given(start.index);
        queued.attempt.started(rollout, () => this.#startLateTimer(queued, rollout.timings.submittedAtMs));
        return rollout;
      },
      record: parts.record && memberRecord(parts.record, (index) => this.#placeOf(index)),
    });
  }

  /** Whether the inputs have ended and every group was handed out. */
  get isComplete(): boolean {
    return (
      this.#phase.name === 'ended' &&
      this.#phase.failure === undefined &&
      this.#batch.isComplete &&
      this.#ready.length === 0
    );
  }

  /** Passes on what concerns the store or the runtime as a whole. */
  readonly onSharedEvent = (event: RolloutEvent): void => this.#batch.onSharedEvent(event);

  begin(): void {
    this.#batch.begin();
    void this.#collect();
  }

  /**
   * The next settled group; undefined when the run is over and every session was stopped.
   * @throws the error of the inputs, or the reason of the stop.
   */
  async next(): Promise<Group<Input> | undefined> {
    for (;;) {
      const { signal, detachSignal } = this.#options;
      for (const end of [signal, detachSignal]) if (end?.aborted === true) await this.stop(end.reason);
      if (this.#phase.name === 'stopping') {
        await this.stop(this.#phase.reason);
        throw this.#phase.reason;
      }
      const group = this.#ready.shift();
      if (group !== undefined) {
        this.#source.wake();
        return group;
      }
      if (this.#phase.name === 'ended') {
        if (this.#phase.failure !== undefined) throw this.#phase.failure.error;
        return undefined;
      }
      await new Promise<void>((resolve) => {
        this.#wakeConsumer = resolve;
      });
    }
  }

  /** Gives up everything outstanding; resolves when every session was told to stop. */
  async stop(reason: unknown): Promise<void> {
    if (this.#phase.name === 'running') {
      this.#phase = { name: 'stopping', reason };
      this.#endPauses();
      for (const group of this.#open) group.abandon();
      this.#wakeConsumer();
    }
    await this.#batch.stop(reason);
  }

  async #collect(): Promise<void> {
    try {
      for (let item = await this.#batch.next(); item !== undefined; item = await this.#batch.next()) {
        this.#settle(item);
      }
      // A deadline of the whole run ends it with members that were never started.
      for (const group of this.#open) group.close();
      this.#endPauses();
      if (this.#phase.name === 'running') this.#phase = { name: 'ended', failure: this.#source.failure };
      this.#wakeConsumer();
    } catch (error) {
      // Groups that were settled before are handed out first.
      if (ArtError.isInstance(error) && error.code === 'ART_TOO_MANY_FAILURES') this.#fail(error);
      else await this.stop(error);
    }
  }

  #fail(error: ArtError): void {
    if (this.#phase.name !== 'running') return;
    this.#phase = { name: 'ended', failure: { error } };
    this.#endPauses();
    for (const group of this.#open) group.abandon();
    this.#wakeConsumer();
  }

  #settle(item: BatchItem): void {
    const { group, attempt } = this.#source.takeGiven(item.index);
    group.settled(attempt, item);
  }

  #openGroup(input: Input, index: number): void {
    const { generateInputId } = this.#parts;
    this.#progress.opened();
    this.#open.add(
      new OpenGroup(input, index, {
        rules: this.#rules,
        inputId: this.#options.inputId ?? ((_, index) => generateInputId(index)),
        nowMs: () => this.#parts.clock.nowMs(),
        launch: (group, attempt, pauseMs) => this.#launch(group, attempt, pauseMs),
        onSettled: (group) => this.#handOut(group),
        record: this.#parts.record,
      }),
    );
  }

  #launch(group: OpenGroup<Input>, attempt: Attempt, pauseMs: number): void {
    if (pauseMs === 0) {
      this.#source.add(group, attempt);
      return;
    }
    const cancel = this.#parts.clock.after(pauseMs, () => {
      this.#pauses.delete(cancel);
      this.#source.add(group, attempt);
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
    this.#ready.push(group);
    this.#progress.settled(group.kind);
    this.#reportProgress();
    this.#source.wake();
    this.#wakeConsumer();
  }

  #startLateTimer({ group, attempt }: QueuedAttempt<Input>, submittedAtMs: number): () => void {
    const afterMs = this.#rules.policy.late?.afterMs;
    if (afterMs === undefined) return () => undefined;
    // One that an earlier process submitted is as late as it is.
    const spentMs = Math.max(0, this.#parts.clock.epochMs() - submittedAtMs);
    return this.#parts.clock.after(Math.max(0, afterMs - spentMs), () => group.late(attempt));
  }

  #batchOptions(): BatchOptions {
    const { inputId: _, sessionId, overrides, onProgress: _onProgress, ...shared } = this.#options;
    return {
      ...shared,
      // Groups have a policy of their own; the two must not multiply.
      retry: noRetries,
      inputId: (_payload, index) => this.#source.given(index).group.inputId,
      sessionId:
        sessionId &&
        ((payload, index) =>
          this.#source.given(index).group.claimSession(sessionId(payload as Input, this.#placeOf(index)))),
      overrides: overrides && ((payload, index) => overrides(payload as Input, this.#placeOf(index))),
      onProgress: (rollouts) => {
        this.#rollouts = rollouts;
        this.#reportProgress();
      },
    };
  }

  #placeOf(index: number): MemberPlace {
    const { group, attempt } = this.#source.given(index);
    return { index: group.index, member: attempt.member, attempt: attempt.number };
  }

  #reportProgress(): void {
    if (this.#rollouts !== undefined) this.#options.onProgress?.(this.#progress.snapshot(this.#rollouts));
  }
}

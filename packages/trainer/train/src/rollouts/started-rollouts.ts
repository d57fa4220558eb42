import type { TrainSettings } from '../run/train-options.ts';
import { Admission } from './admission.ts';
import { RolloutRecords } from './rollout-records.ts';
import type { DrawnTask } from '../run/training-step.ts';
import { type SettledGroup, SettledGroups } from './settled-groups.ts';
import { TaskDraw } from './task-draw.ts';

/** Where in the data a run is. */
export interface DataPosition {
  /** The first position that was not trained. */
  position: number;
  /** Positions behind it that were. */
  trainedAhead: readonly number[];
}

/** The rollouts of a run: groups start as admission lets them, and wait to be trained once they have settled. */
export class StartedRollouts {
  readonly #admission: Admission<object>;
  readonly #settled = new SettledGroups();
  readonly #stop = new AbortController();
  readonly #collecting: Promise<void>;
  readonly #draw: TaskDraw;
  readonly #isMixture: boolean;
  /** The tasks of positions that are not trained. */
  readonly #tasks = new Map<number, number>();
  #position: number;
  readonly #ahead: Set<number>;

  /** @param drawn the tasks that the steps of the run have taken so far */
  constructor(
    settings: TrainSettings,
    runId: string,
    { position, trainedAhead }: DataPosition,
    drawn: readonly DrawnTask[],
  ) {
    const { client, tasks, groupsPerStep, rolloutsPerGroup, maxStepsOffPolicy, signal, rolloutJournal } =
      settings;
    this.#position = position;
    this.#ahead = new Set(trainedAhead);
    const most = groupsPerStep * (maxStepsOffPolicy + 1);
    this.#draw = new TaskDraw(settings, drawn);
    this.#isMixture = settings.parts.length > 1;
    const inputAt = (place: number): object => {
      const task = this.#draw.at(place);
      this.#tasks.set(place, task);
      return tasks[task]!;
    };
    this.#admission = new Admission(inputAt, { most, from: position, trainedAhead });
    const groups = client.runGroups(this.#admission, {
      rolloutsPerInput: rolloutsPerGroup,
      maxConcurrentSessions: settings.maxConcurrentSessions ?? most * rolloutsPerGroup,
      maxBufferedItems: most,
      timeoutMs: settings.maxRolloutMs,
      advantages: settings.advantages,
      ...settings.groups,
      signal: signal === undefined ? this.#stop.signal : AbortSignal.any([signal, this.#stop.signal]),
      ...(rolloutJournal !== undefined && {
        journal: { journal: rolloutJournal.journal, runId },
        acknowledge: 'explicit',
      }),
    });
    const records = new RolloutRecords(settings);
    this.#collecting = this.#settled.collect(groups, (index) => this.#admission.started[index]!, {
      onGroup: (group) => records.add(group),
      signal: this.#stop.signal,
      clock: settings.clock,
    });
  }

  /** The position in the data up to which it was trained, for a checkpoint. */
  get trained(): DataPosition {
    return { position: this.#position, trainedAhead: [...this.#ahead].toSorted((one, other) => one - other) };
  }

  /** Nobody waits for groups any more: `take` has none. */
  giveUp(): void {
    this.#settled.giveUp();
  }

  /** The groups of a step, those that were started first. @throws what ended the rollouts */
  take(count: number): Promise<SettledGroup[]> {
    return this.#settled.take(count);
  }

  /** The groups were trained: a checkpoint says so from now on. @returns their tasks */
  noteTrained(groups: readonly SettledGroup[]): DrawnTask[] {
    for (const { position } of groups) this.#ahead.add(position);
    while (this.#ahead.delete(this.#position)) this.#position += 1;
    return groups.map(({ position, rewards }) => {
      const task = this.#tasks.get(position)!;
      this.#tasks.delete(position);
      const part = this.#isMixture ? this.#draw.partOf(task) : undefined;
      const reward = rewards.length === 0 ? undefined : meanOf(rewards);
      const spread = reward === undefined ? 0 : meanOf(rewards.map((each) => (each - reward) ** 2));
      const drawn = { task, part, reward, spread };
      this.#draw.note(drawn);
      return drawn;
    });
  }

  /** New weights are served: so many further groups may start. */
  release(groups: number): void {
    this.#admission.release(groups);
  }

  /** Stops every session. */
  async close(): Promise<void> {
    this.#stop.abort(new Error('training has ended'));
    this.#admission.close();
    await this.#collecting;
  }
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

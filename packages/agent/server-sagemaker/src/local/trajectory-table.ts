import type { Clock } from '@art/ground';

/** An error of the job runtime by its HTTP status, from which its type follows. */
export class JobRefusal extends Error {
  override readonly name = 'JobRefusal';
  readonly httpStatus: number;

  constructor(httpStatus: 400 | 403 | 404 | 409 | 500, message: string) {
    super(message);
    this.httpStatus = httpStatus;
  }
}

/** How a rollout is named at the job runtime. */
export interface TrajectoryName {
  jobArn: string;
  trajectoryId: string;
}

/** One rollout as the job runtime knows it. */
export interface JobTrajectory extends TrajectoryName {
  /**
   * - `open`: the agent may sample.
   * - `ready`, `failed`: completed, and waiting for a reward.
   * - `rewarded`: has its reward.
   * - `timed_out`: neither in time; nothing is taken any more.
   */
  state: 'open' | 'ready' | 'failed' | 'rewarded' | 'timed_out';
  /** Calls of the model that were answered. */
  turns: number;
  /** The status that it was completed with. */
  completedAs: 'ready' | 'failed' | undefined;
  rewards: readonly number[] | undefined;
  /** Calls that came after the time-out, and were refused. */
  lateCalls: number;
}

interface Entry extends JobTrajectory {
  completeToken: string | undefined;
  rewardToken: string | undefined;
  end: () => void;
}

/** The rollouts of all jobs: what has been said of each, and what may still be said. */
export class TrajectoryTable {
  readonly #entries = new Map<string, Entry>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Begins a rollout. The promise resolves when it has its reward, or its time is up. */
  open(name: TrajectoryName, timeoutMs: number): Promise<JobTrajectory> {
    const { promise, resolve } = Promise.withResolvers<JobTrajectory>();
    const cancel = this.#clock.after(timeoutMs, () => {
      entry.state = 'timed_out';
      entry.end();
    });
    const entry: Entry = {
      ...name,
      state: 'open',
      turns: 0,
      completedAs: undefined,
      rewards: undefined,
      lateCalls: 0,
      completeToken: undefined,
      rewardToken: undefined,
      end: () => {
        cancel();
        resolve(entry);
      },
    };
    this.#entries.set(keyOf(name), entry);
    return promise;
  }

  list(): JobTrajectory[] {
    return [...this.#entries.values()].map(
      ({ jobArn, trajectoryId, state, turns, completedAs, rewards, lateCalls }) => ({
        jobArn,
        trajectoryId,
        state,
        turns,
        completedAs,
        rewards,
        lateCalls,
      }),
    );
  }

  /** @throws JobRefusal 404, or 400 when it is complete */
  beforeSample(name: TrajectoryName): void {
    const entry = this.#find(name);
    if (entry.state !== 'open') throw refused(400, entry, 'sampling');
  }

  sampled(name: TrajectoryName): void {
    this.#find(name).turns += 1;
  }

  /** @throws JobRefusal 404, or 409 when it is complete */
  complete(name: TrajectoryName, status: 'ready' | 'failed', token: string | undefined): void {
    const entry = this.#find(name);
    if (token !== undefined && token === entry.completeToken) return;
    if (entry.state !== 'open') throw refused(409, entry, 'completion');
    entry.completeToken = token;
    entry.completedAs = status;
    entry.state = status;
  }

  /** @throws JobRefusal 404, or 409 when it is not complete or has its reward */
  reward(name: TrajectoryName, rewards: readonly number[], token: string | undefined): void {
    const entry = this.#find(name);
    if (token !== undefined && token === entry.rewardToken) return;
    if (entry.state !== 'ready' && entry.state !== 'failed') throw refused(409, entry, 'a reward');
    entry.rewardToken = token;
    entry.rewards = rewards;
    entry.state = 'rewarded';
    entry.end();
  }

  /** Lets go of the timers. */
  close(): void {
    for (const entry of this.#entries.values()) entry.end();
  }

  #find(name: TrajectoryName): Entry {
    const entry = this.#entries.get(keyOf(name));
    if (entry === undefined) {
      throw new JobRefusal(404, `Trajectory ${name.trajectoryId} of job ${name.jobArn} was not found.`);
    }
    if (entry.state === 'timed_out') entry.lateCalls += 1;
    return entry;
  }
}

// The words by which AWS's Python SDK recognises it.
function refused(status: 400 | 409, { trajectoryId, state }: Entry, what: string) {
  const message = `Trajectory ${trajectoryId} is not in valid status for ${what}: ${state}`;
  return new JobRefusal(status, message);
}

function keyOf({ jobArn, trajectoryId }: TrajectoryName): string {
  return JSON.stringify([jobArn, trajectoryId]);
}

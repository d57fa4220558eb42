import type { RecordedRollout } from '@art/trajectories';

const enough = 3;

const message =
  'No call of a model has reached the gateway, and three rollouts have ended as ok. Most likely: the agent does not use the base URL of its rollout (rollout.baseUrl); it cannot reach that address from where it runs; it catches the errors of its model client.';

/** Notices early that agents do not reach their model: a run that continues would measure nothing. */
export class SilentStart {
  #silent = 0;
  #isOver = false;

  /**
   * @param rollout that has ended; `modelCalls` undefined or null where no gateway looks
   * @returns what to tell, once
   */
  see({
    outcome,
    modelCalls,
  }: Pick<RecordedRollout, 'outcome'> & { modelCalls?: number | null | undefined }): string | undefined {
    if (this.#isOver || outcome !== 'ok' || modelCalls === undefined || modelCalls === null) return undefined;
    this.#silent += 1;
    this.#isOver = modelCalls > 0 || this.#silent === enough;
    return this.#isOver && modelCalls === 0 ? message : undefined;
  }
}

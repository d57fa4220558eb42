import { ArtError } from '@art/protocol';
import type { RolloutStart } from '../batch/payload-run.ts';
import type { PastRollout } from '../journal/run/run-history.ts';
import { Rollout, type RolloutListener, type RolloutParts } from '../lifecycle/rollout.ts';
import { generatedInputId, type RolloutIds } from '../rollout-ids.ts';
import { buildRolloutRequest, type RolloutDefaults, type RolloutRequest } from '../rollout-request.ts';

/** The rollouts of a client that are outstanding, single ones and those of runs. */
export class LiveRollouts {
  readonly #defaults: RolloutDefaults;
  readonly #ids: RolloutIds;
  readonly #parts: RolloutParts;
  readonly #onEvent: RolloutListener;
  readonly #live = new Map<string, Rollout>();

  /** @param onEvent told of every rollout, after whoever started it. */
  constructor(defaults: RolloutDefaults, ids: RolloutIds, parts: RolloutParts, onEvent: RolloutListener) {
    this.#defaults = defaults;
    this.#ids = ids;
    this.#parts = parts;
    this.#onEvent = onEvent;
  }

  /**
   * @param inputIdPrefix of input ids that the caller did not choose.
   * @throws ArtError `ART_INVALID_PAYLOAD` and other input errors, `ART_DUPLICATE_ROLLOUT`
   */
  start(start: RolloutStart, inputIdPrefix: string): Rollout {
    const request =
      start.past === undefined ? this.#newRequest(start, inputIdPrefix) : this.#oldRequest(start, start.past);
    const name = `${request.bucket}\n${request.resultKey}`;
    if (this.#live.has(name)) {
      throw new ArtError({
        code: 'ART_DUPLICATE_ROLLOUT',
        message: `A rollout with the result key ${JSON.stringify(request.resultKey)} is outstanding already. Give each rollout a session id of its own, or none.`,
      });
    }
    const { index, beginning, recorder } = start;
    const onEvent: RolloutListener = (event) => {
      start.onEvent(event);
      this.#onEvent(event);
    };
    const rollout = new Rollout({ request, index, onEvent, beginning, recorder }, this.#parts);
    this.#live.set(name, rollout);
    void rollout.finished.then(() => this.#live.delete(name));
    return rollout;
  }

  /** Ends all of them; resolves when every session was told to stop. */
  async cancelAll(reason: unknown): Promise<void> {
    const live = [...this.#live.values()];
    for (const rollout of live) rollout.cancel(reason);
    await Promise.all(live.map((rollout) => rollout.finished));
  }

  #newRequest({ payload, index, choices }: RolloutStart, inputIdPrefix: string): RolloutRequest {
    const ids = {
      inputId: choices.inputId ?? generatedInputId(inputIdPrefix, index),
      sessionId: choices.sessionId ?? this.#ids.sessionId(),
      attemptId: this.#ids.attemptId(),
    };
    return buildRolloutRequest(payload, ids, this.#defaults, choices.overrides);
  }

  #oldRequest({ payload, choices, beginning }: RolloutStart, past: PastRollout): RolloutRequest {
    const { inputId, sessionId, attemptId, bucket, resultKey } = past;
    if (beginning?.kind !== 'unsure') return { inputId, sessionId, attemptId, bucket, resultKey, body: '' };
    // A repeat must name the same place, whatever the overrides say of it today.
    const expId = resultKey.slice(0, -`/${inputId}/${sessionId}.json`.length);
    return buildRolloutRequest(payload, { inputId, sessionId, attemptId }, this.#defaults, {
      ...choices.overrides,
      expId,
      bucket,
      input_id: inputId,
      attempt_id: attemptId,
    });
  }
}

import type { RolloutRecord } from '@art/trajectories';
import { appendFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { capturedRollouts, type Group, type ReadTraces } from '@art/rollout';
import type { TrainSettings } from '../run/train-options.ts';

/** Keeps what became of every rollout and what was said, a line each in `rollouts.jsonl`, for `art health` and `art view`. */
export class RolloutRecords {
  readonly #file: string;
  readonly #readTraces: ReadTraces | undefined;
  readonly #onRollout: ((rollout: RolloutRecord) => void) | undefined;

  constructor({ directory, gateway, onRollout }: Pick<TrainSettings, 'directory' | 'gateway' | 'onRollout'>) {
    this.#file = join(resolve(directory), 'rollouts.jsonl');
    const hasTraces = gateway.compactTraces !== undefined;
    this.#readTraces = hasTraces ? (sessionId) => gateway.compactTraces!(sessionId) : undefined;
    this.#onRollout = onRollout;
  }

  async add(group: Group<object>): Promise<void> {
    const rollouts = await capturedRollouts(group, this.#readTraces);
    const lines = rollouts.map((rollout) => `${JSON.stringify(withoutTokens(rollout))}\n`);
    appendFileSync(this.#file, lines.join(''), { mode: 0o600 });
    for (const rollout of rollouts) this.#onRollout?.(rollout);
  }
}

/** Tokens are most of what is known of a rollout, and nobody reads them later: a run would fill the disk with them. */
function withoutTokens({ rows: _rows, conversation, ...rollout }: RolloutRecord): object {
  const calls = conversation?.calls.map((call) => ({ ...call, tokens: null }));
  return { ...rollout, conversation: conversation && { ...conversation, calls } };
}

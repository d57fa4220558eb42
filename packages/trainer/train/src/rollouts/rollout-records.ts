import { JsonLinesFile } from '@art/ground';
import type { RolloutRecord } from '@art/trajectories';
import { join, resolve } from 'node:path';
import { capturedRollouts, type Group, type ReadCaptures } from '@art/rollout';
import type { TrainSettings } from '../run/train-options.ts';

/** Keeps what became of every rollout and what was said, a line each in `rollouts.jsonl`, for `art health` and `art view`. */
export class RolloutRecords {
  readonly #file: string;
  /** One group after the other: opening the file cuts off an incomplete line. */
  #written: Promise<void> = Promise.resolve();
  readonly #readCaptures: ReadCaptures | undefined;
  readonly #onRollout: ((rollout: RolloutRecord) => void) | undefined;

  constructor({ directory, gateway, onRollout }: Pick<TrainSettings, 'directory' | 'gateway' | 'onRollout'>) {
    this.#file = join(resolve(directory), 'rollouts.jsonl');
    const hasCaptures = gateway.compactCaptures !== undefined;
    this.#readCaptures = hasCaptures ? (sessionId) => gateway.compactCaptures!(sessionId) : undefined;
    this.#onRollout = onRollout;
  }

  async add(group: Group<object>): Promise<void> {
    const rollouts = await capturedRollouts(group, this.#readCaptures);
    const written = this.#written.then(() => this.#write(rollouts));
    this.#written = written.catch(() => undefined);
    await written;
    for (const rollout of rollouts) this.#onRollout?.(rollout);
  }

  async #write(rollouts: readonly RolloutRecord[]): Promise<void> {
    await using file = await JsonLinesFile.open(this.#file, { gatherMs: 0 });
    await Promise.all(rollouts.map((rollout) => file.append(withoutTokens(rollout))));
  }
}

/** Tokens are most of what is known of a rollout, and nobody reads them later: a run would fill the disk with them. */
function withoutTokens({ rows: _rows, conversation, ...rollout }: RolloutRecord): object {
  const calls = conversation?.calls.map((call) => ({ ...call, tokens: null }));
  return { ...rollout, conversation: conversation && { ...conversation, calls } };
}

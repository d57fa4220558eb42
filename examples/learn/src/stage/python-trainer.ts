import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Trainer, TrainerRow, Update } from '../learn.ts';
import { ProcessGroup } from './process-group.ts';

export interface PythonTrainerOptions {
  python: string;
  script: string;
  /** Folder of the policy to begin with. */
  policy: string;
  /** Where the new weights go, step after step. */
  weights: string;
  logDir: string;
}

interface TrainerReply {
  loss: number;
  logprob_gap: number;
  trained_tokens: number;
}

/** `trainer.py`, a process that lives as long as the run: it holds the optimiser's state. One line a step, each way. */
export class PythonTrainer implements Trainer, AsyncDisposable {
  readonly #group: ProcessGroup;
  readonly #replies: AsyncIterator<string>;
  readonly #weights: string;

  private constructor(group: ProcessGroup, weights: string) {
    this.#group = group;
    this.#weights = weights;
    this.#replies = createInterface({ input: group.child.stdout! })[Symbol.asyncIterator]();
  }

  static async start({
    python,
    script,
    policy,
    weights,
    logDir,
  }: PythonTrainerOptions): Promise<PythonTrainer> {
    const group = new ProcessGroup({
      name: 'The trainer',
      command: [python, script, policy],
      // vLLM sleeps while the trainer works, so it may have all processors; without this it would spin on them.
      env: { OMP_WAIT_POLICY: 'PASSIVE', HF_HUB_OFFLINE: '1' },
      logFile: join(logDir, 'trainer.log'),
      talk: 'pipe',
    });
    const trainer = new PythonTrainer(group, weights);
    try {
      await trainer.#reply();
      return trainer;
    } catch (error) {
      await group.stop();
      throw error;
    }
  }

  async update(rows: readonly TrainerRow[], signal: AbortSignal): Promise<Update> {
    signal.throwIfAborted();
    // Only what it reads: rows hold more.
    const lean = rows.map(({ token_ids, prompt_length, loss_mask, logprobs, advantages }) => ({
      token_ids,
      prompt_length,
      loss_mask,
      logprobs,
      advantages,
    }));
    this.#group.child.stdin!.write(`${JSON.stringify({ rows: lean, weights: this.#weights })}\n`);
    const { loss, logprob_gap: logprobGap, trained_tokens: trainedTokens } = await this.#reply();
    signal.throwIfAborted();
    return { weights: this.#weights, loss, logprobGap, trainedTokens };
  }

  async #reply(): Promise<TrainerReply> {
    const line = await Promise.race([this.#replies.next(), this.#group.died()]);
    // The end of its output comes just before its own.
    if (line.done === true) return await this.#group.died();
    return JSON.parse(line.value) as TrainerReply;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#group.stop();
  }
}

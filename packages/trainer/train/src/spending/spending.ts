import { formatCost } from '@art/eval';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { ArtError } from '@art/ground';
import { DurableLines } from '../files/durable-lines.ts';
import type { TrainSettings } from '../run/train-options.ts';
import type { TrainingStep } from '../run/training-step.ts';

type Tokens = Omit<TrainingStep['spent'], 'money'>;

/** A call that costs, before it is sent. */
interface BegunCall {
  prompt?: number | undefined;
  trained?: number | undefined;
  /** Most tokens that it can sample. */
  most?: number | undefined;
}

/** A line of `spending.jsonl`: what a call cost from its beginning, or what it sampled in the end. */
type LedgerLine = { call: number } & (BegunCall | { sampled: number });

/** A call that was begun: its prompt is counted already. */
export interface OpenCall {
  /** Ends it. @param sampled undefined where nobody knows: then it counts as the most that it can have sampled */
  ended: (sampled?: number) => void;
  /** It was never sent, so it costs nothing. */
  refused: () => void;
}

/**
 * The tokens and money that a run has used so far, in all its processes. Each call is in `spending.jsonl` before it is sent, so that a process that is
 * killed loses none.
 */
export class Spending {
  readonly #settings: Pick<TrainSettings, 'prices' | 'stopWhen'>;
  readonly #path: string;
  readonly #spent: Tokens = { promptTokens: 0, sampledTokens: 0, trainedTokens: 0 };
  readonly #reached = Promise.withResolvers<string>();
  #calls = 0;

  /** @param directory of the run; it is there */
  constructor(directory: string, settings: Pick<TrainSettings, 'prices' | 'stopWhen'>) {
    this.#settings = settings;
    const file = new DurableLines<LedgerLine>(join(directory, 'spending.jsonl'));
    this.#path = file.path;
    const open = new Map<number, number>();
    for (const line of file.all()) {
      if ('sampled' in line) {
        this.#spent.sampledTokens += line.sampled;
        open.delete(line.call);
      } else {
        this.#count(line);
        if (line.most !== undefined) open.set(line.call, line.most);
      }
    }
    // Their process was killed: the service may have sampled all of it.
    for (const most of open.values()) this.#spent.sampledTokens += most;
    const { promptTokens: prompt, trainedTokens: trained, sampledTokens: sampled } = this.#spent;
    if (this.#used > 0)
      file.replace([
        { call: 0, prompt, trained },
        { call: 0, sampled },
      ]);
  }

  /** Counts a call that is about to be sent. @throws ArtError `ART_TRAIN_BUDGET_SPENT` */
  begin(begun: BegunCall): OpenCall {
    const over = this.exceeded;
    if (over !== undefined) throw new ArtError({ code: 'ART_TRAIN_BUDGET_SPENT', message: over });
    this.#calls += 1;
    const call = this.#calls;
    this.#write({ call, ...begun });
    this.#count(begun);
    this.#tell();
    const ended = (sampled = begun.most ?? 0): void => {
      this.#spent.sampledTokens += sampled;
      this.#tell();
      this.#write({ call, sampled });
    };
    const refused = (): void => {
      const { prompt = 0, trained = 0 } = begun;
      const undone = { prompt: -prompt, trained: -trained };
      this.#count(undone);
      this.#write({ call, ...undone });
      this.#write({ call, sampled: 0 });
    };
    return { ended, refused };
  }

  get total(): TrainingStep['spent'] {
    const { promptTokens, sampledTokens, trainedTokens } = this.#spent;
    const { prices } = this.#settings;
    const money =
      prices &&
      (promptTokens * prices.prompt + sampledTokens * prices.sampled + trainedTokens * prices.trained) / 1e6;
    return { promptTokens, sampledTokens, trainedTokens, money };
  }

  /** The limit that was reached, in words; undefined while none is reached. */
  get exceeded(): string | undefined {
    const { tokens = Infinity, money = Infinity } = this.#settings.stopWhen;
    const { money: spent = 0 } = this.total;
    if (this.#used >= tokens)
      return `${this.#used.toLocaleString('en-US')} of ${tokens.toLocaleString('en-US')} tokens are used.`;
    return spent >= money ? `${formatCost(spent)} of ${money} are spent.` : undefined;
  }

  /** Resolves to `exceeded`, as soon as there is one. */
  get reached(): Promise<string> {
    return this.#reached.promise;
  }

  get #used(): number {
    const { promptTokens, sampledTokens, trainedTokens } = this.#spent;
    return promptTokens + sampledTokens + trainedTokens;
  }

  #count({ prompt = 0, trained = 0 }: BegunCall): void {
    this.#spent.promptTokens += prompt;
    this.#spent.trainedTokens += trained;
  }

  #tell(): void {
    const { exceeded } = this;
    if (exceeded !== undefined) this.#reached.resolve(exceeded);
  }

  /** Not synced: a process that is killed loses nothing of what it wrote. */
  #write(line: LedgerLine): void {
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }
}

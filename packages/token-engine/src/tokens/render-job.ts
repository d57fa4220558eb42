import type { DecoderTables } from './text-decoder.ts';
import type { BridgeTask, RenderTask } from './prompt-encoder.ts';

/** What a render thread is started with. */
export interface RenderThreadData {
  /** Folder of the checkpoint. Each thread reads it itself: what is in it would be costly to hand over. */
  checkpoint: string;
}

/** One piece of work for a render thread. */
export type RenderJob =
  | { kind: 'render'; task: RenderTask }
  | { kind: 'bridge'; task: BridgeTask }
  | { kind: 'describe' };

/** What decoding on the main thread, and judging a completion, needs to know of the tokenizer. */
export interface TokenizerDescription {
  tables: DecoderTables;
  stopTokenIds: readonly number[];
}

/** The answer to each kind of job. */
export interface RenderAnswers {
  render: Int32Array;
  bridge: Int32Array | undefined;
  describe: TokenizerDescription;
}

/** `ready` once the tokenizer is loaded; `failed` where it cannot be. */
export type RenderReply =
  | { kind: 'ready' }
  | { kind: 'failed'; error: RenderFailure }
  | { kind: 'done'; answer: RenderAnswers[RenderJob['kind']] }
  | { kind: 'refused'; error: RenderFailure };

/** An error on its way between threads: the toolkit's own keep their code. */
export interface RenderFailure {
  code: string | undefined;
  message: string;
}

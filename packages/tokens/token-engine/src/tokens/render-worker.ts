/** Entry of a render thread: template and tokenizer run here, so that long prompts do not hold up the gateway. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';

import { ArtError, describeThrown } from '@art/ground';

import { readCheckpoint } from './checkpoint.ts';
import { PromptEncoder, type RenderTask } from './prompt-encoder.ts';
import type { DecoderTables } from './text-decoder.ts';

/** Data that a render thread is started with. */
export interface RenderThreadData {
  /** Folder of the checkpoint. Each thread reads it itself: what is in it would be costly to hand over. */
  checkpoint: string;
}

/** One piece of work for a render thread. */
export type RenderJob = { kind: 'render'; task: RenderTask } | { kind: 'describe' };

/** The tokenizer's facts for decoding on the main thread, and for judging a completion. */
export interface TokenizerDescription {
  tables: DecoderTables;
  stopTokenIds: readonly number[];
}

/** The answer to each kind of job. */
export interface RenderAnswers {
  render: Int32Array;
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

function work(engine: PromptEncoder, job: RenderJob): RenderAnswers[RenderJob['kind']] {
  switch (job.kind) {
    case 'render':
      return engine.render(job.task);
    case 'describe': {
      const { tables, stopTokenIds } = engine.encoder;
      return { tables, stopTokenIds };
    }
  }
}

async function serve(port: MessagePort): Promise<void> {
  const post = (reply: RenderReply, transfer: ArrayBuffer[] = []): void => port.postMessage(reply, transfer);
  try {
    const { checkpoint } = workerData as RenderThreadData;
    const engine = new PromptEncoder(await readCheckpoint(checkpoint));
    port.on('message', (job: RenderJob) => {
      try {
        const answer = work(engine, job);
        const transfer = answer instanceof Int32Array ? [answer.buffer as ArrayBuffer] : [];
        post({ kind: 'done', answer }, transfer);
      } catch (error) {
        post({ kind: 'refused', error: failureOf(error) });
      }
    });
    post({ kind: 'ready' });
  } catch (error) {
    post({ kind: 'failed', error: failureOf(error) });
  }
}

function failureOf(error: unknown): RenderFailure {
  return {
    code: ArtError.isInstance(error) ? error.code : undefined,
    message: describeThrown(error).message,
  };
}

if (parentPort !== null) void serve(parentPort);

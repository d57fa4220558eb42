/** Entry of a render thread: template and tokenizer run here, so that long prompts do not hold up the gateway. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';

import { ArtError } from '@art/protocol';

import { readCheckpoint } from './checkpoint.ts';
import type { RenderAnswers, RenderFailure, RenderJob, RenderReply, RenderThreadData } from './render-job.ts';
import { PromptEncoder } from './prompt-encoder.ts';

function work(engine: PromptEncoder, job: RenderJob): RenderAnswers[RenderJob['kind']] {
  switch (job.kind) {
    case 'render':
      return engine.render(job.task);
    case 'bridge':
      return engine.bridge(job.task);
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
    message: error instanceof Error ? error.message : String(error),
  };
}

if (parentPort !== null) void serve(parentPort);

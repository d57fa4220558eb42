/** Entry of a render thread: template and tokenizer run here, so that long prompts do not hold up the gateway. */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';

import { ArtError } from '@art/protocol';

import { CharacterEncoder } from './character-encoder.ts';
import { readCheckpoint } from './checkpoint.ts';
import type {
  RenderAnswers,
  RenderFailure,
  RenderJob,
  RenderReply,
  RenderRequest,
  RenderThreadData,
} from './render-job.ts';
import { TextDecoderOfTokens, type IdDecoder } from './text-decoder.ts';
import { TokenEngine } from './token-engine.ts';

function work(
  engine: TokenEngine,
  decoder: () => IdDecoder,
  job: RenderJob,
): RenderAnswers[RenderJob['kind']] {
  switch (job.kind) {
    case 'render':
      return engine.render(job.task);
    case 'bridge':
      return engine.bridge(job.task);
    case 'encode':
      return engine.encoder.encode(job.text);
    case 'decode':
      return decoder().decode(job.ids, { skipSpecialTokens: job.skipSpecialTokens });
    case 'describe':
      return { tables: engine.encoder.tables(), stopTokenIds: engine.encoder.stopTokenIds };
  }
}

function failureOf(error: unknown): RenderFailure {
  return {
    code: ArtError.isInstance(error) ? error.code : undefined,
    message: error instanceof Error ? error.message : String(error),
  };
}

async function openEngine(): Promise<TokenEngine> {
  const { checkpoint } = workerData as RenderThreadData;
  return new TokenEngine(checkpoint === 'characters' ? checkpoint : await readCheckpoint(checkpoint));
}

function serve(engine: TokenEngine, post: Post, port: MessagePort): void {
  let known: IdDecoder | undefined;
  const decoder = (): IdDecoder => {
    known ??=
      engine.encoder instanceof CharacterEncoder
        ? engine.encoder
        : new TextDecoderOfTokens(engine.encoder.tables());
    return known;
  };
  port.on('message', ({ id, job }: RenderRequest) => {
    try {
      const answer = work(engine, decoder, job);
      post({ kind: 'done', id, answer }, answer instanceof Int32Array ? [answer.buffer as ArrayBuffer] : []);
    } catch (error) {
      post({ kind: 'refused', id, error: failureOf(error) });
    }
  });
  post({ kind: 'ready' });
}

type Post = (reply: RenderReply, transfer?: ArrayBuffer[]) => void;

if (parentPort !== null) {
  const port = parentPort;
  const post: Post = (reply, transfer = []) => {
    port.postMessage(reply, transfer);
  };
  openEngine().then(
    (engine) => {
      serve(engine, post, port);
    },
    (error: unknown) => {
      post({ kind: 'failed', error: failureOf(error) });
    },
  );
}

import { join } from 'node:path';
import { byteTokenizer, localService, writeByteTokenizer } from '@art/train/local';
import type { OpenedService } from './opened-service.ts';

const maxContext = 16_384;

/** A small random policy of this machine. @param state folder of the run */
export async function openLocalService(state: string): Promise<OpenedService> {
  const tokenizer = join(state, 'tokenizer');
  await writeByteTokenizer(tokenizer);
  const { vocabularySize, endToken, tokenBytes } = byteTokenizer;
  const size = { hiddenSize: 64, intermediateSize: 128, layers: 2, heads: 4, headSize: 16 };
  return {
    service: localService({
      shape: { ...size, vocabularySize, endToken, maxContext },
      seed: 0,
      directory: join(state, 'sessions'),
      tokenBytes,
    }),
    tokenizer,
    described:
      'this machine, a small random policy: the score means nothing; a trace of chance in the rewards makes every group train',
    minSampleTokens: 1,
    maxContext,
  };
}

import type { PolicyShape } from '@art/train/local';

export const tinyShape: PolicyShape = {
  vocabularySize: 11,
  hiddenSize: 12,
  intermediateSize: 10,
  layers: 2,
  heads: 2,
  headSize: 4,
  maxContext: 64,
  endToken: 10,
};

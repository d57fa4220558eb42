import type { TrainingService } from '@art/train/steps';

/** Service that makes the steps, and the translation of messages into its tokens. */
export interface OpenedService {
  service: TrainingService;
  /** Folder with the tokenizer. */
  tokenizer: string;
  /** For people. */
  described: string;
  minSampleTokens: number;
  maxContext: number | undefined;
}

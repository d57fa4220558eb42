import type { TrainingService } from '@art/train/steps';

/** What makes the steps, and what turns messages into its tokens. */
export interface OpenedService {
  service: TrainingService;
  /** Folder with the tokenizer. */
  tokenizer: string;
  /** For people. */
  described: string;
  minSampleTokens: number;
  maxContext: number | undefined;
}

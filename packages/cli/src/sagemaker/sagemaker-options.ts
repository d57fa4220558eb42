/** What `art dev --sagemaker` plays the trainer with; every value has been checked. */
export interface SageMakerOptions {
  /** File with the prompts. */
  sagemaker: string;
  /** URL of a model with OpenAI's API, or a script for the mock model. @default the mock model says each question again */
  model?: string | undefined;
  /** Rollouts at a time; a job has 32 to 96. */
  concurrency: number;
  /** The job's `rollout_timeout`. */
  rolloutTimeoutMs: number;
  rolloutsPerPrompt: number;
}

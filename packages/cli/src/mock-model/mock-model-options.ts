/** `art mock-model` as its user wants it; every value has been checked. */
export interface MockModelRunOptions {
  /** File with rules or a module. @default the model says the question again */
  script?: string | undefined;
  port: number;
  /** @default any name is served */
  modelId?: string | undefined;
  /** @default what the script says */
  delayMs?: number | undefined;
  /** @default none */
  failEvery?: number | undefined;
  failStatus: number;
  /** One JSON event a line instead of text for people. */
  json: boolean;
}

/** Task of a client process: JSON on its standard input. */
export interface ClientTask {
  agentRuntimeArn: string;
  bucket: string;
  expId: string;
  rollouts: number;
  maxConcurrentSessions: number;
  /** New sessions a second that the client may start. */
  tpsLimit: number;
  /** Calls of any kind a second that the endpoint allows; only `art_knowing` is told. @default no limit */
  knownPerSecond?: number | undefined;
  timeoutMs: number;
  /** Where results come from. Only this project's client can take them from sessions. */
  results: 'store' | 'session';
  /** Maker of the input ids: the client, or a dataset whose ids are in random order, 8 rollouts an input. */
  inputIds: 'generated' | 'groups_of_8';
  /** How the payloads come. */
  source: 'array' | 'async_iterable';
  /** Time that the consumer takes for each item. */
  consumerMs: number;
  seed: number;
}

/** The largest value that the clients of a scenario without a rate limit are given. */
export const unlimitedTps = 10_000;

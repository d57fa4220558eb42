/** `art eval` as its user wants it. What is left out is, with `resume`, as the run was started with. */
export interface EvalOptions {
  /** A file, or a command. Empty with `agentRuntimeArn`, and where a run goes on. */
  agent: string[];
  tasks?: string | undefined;
  samples?: number | undefined;
  /** Folder of a new run. */
  out?: string | undefined;
  /** Folder of a run that goes on. */
  resume?: string | undefined;
  name?: string | undefined;
  /** Module whose default export judges. */
  reward?: string | undefined;
  concurrency?: number | undefined;
  timeoutMs?: number | undefined;
  limit?: number | undefined;
  agentRuntimeArn?: string | undefined;
  qualifier?: string | undefined;
  bucket?: string | undefined;
  endpoint?: string | undefined;
  /** One process for all sessions, or one for each, as on AgentCore. @default 'processes' */
  sessions?: 'server' | 'processes' | undefined;
  wire?: 's3' | 'rip' | undefined;
  baseUrl?: string | undefined;
  modelId?: string | undefined;
  /** Script of a mock model that is started in place of `baseUrl`. */
  mockModel?: string | undefined;
  /** A gateway that runs, `false` for none. @default one of its own, on this machine */
  gateway?: string | false | undefined;
  set?: Readonly<Record<string, unknown>> | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  envFile?: string | undefined;
  warm?: number | undefined;
  maxFailures?: number | undefined;
  minReward?: number | undefined;
  minPassAt?: Readonly<Record<number, number>> | undefined;
  confident: boolean;
  passReward?: number | undefined;
  /** `none` leaves failures of the agent out. */
  failureReward?: number | 'none' | undefined;
  prices?: string | undefined;
  seed?: number | undefined;
  junit?: string | undefined;
  summary?: string | undefined;
  /** Serves the page of the run, live, until Ctrl-C. */
  watch: boolean;
  /** File for that page. */
  export?: string | undefined;
  json: boolean;
}

export interface CompareOptions {
  first: string;
  second: string;
  /** Which of both is the baseline. @default the first */
  baseline?: string | undefined;
  failOnRegression: boolean;
  json: boolean;
}

export interface RescoreRunOptions {
  folder: string;
  reward: string;
  out?: string | undefined;
  concurrency?: number | undefined;
  json: boolean;
}

export interface CtlOptions {
  command: 'status' | 'pause' | 'resume' | 'stop' | 'concurrency';
  /** Sessions at once. */
  value?: number | undefined;
  /** @default the newest run of `.art/evals` that a process works on */
  folder?: string | undefined;
  json: boolean;
}

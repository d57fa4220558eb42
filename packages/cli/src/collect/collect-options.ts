/** `art collect` as its user wants it; every value has been checked. */
export interface CollectOptions {
  /** A file, a command line, or a program and its arguments; none for agents that run elsewhere. */
  agent: readonly string[];
  /** One process for all sessions, or one for each, as on AgentCore. */
  sessions: 'server' | 'processes';
  env?: Readonly<Record<string, string>> | undefined;
  envFile?: string | undefined;
  /** Runtime on AgentCore. @default the agent, else the `art dev` of this folder */
  agentRuntimeArn?: string | undefined;
  qualifier?: string | undefined;
  bucket?: string | undefined;
  endpoint?: string | undefined;
  /** The inference server, for a gateway of this process. */
  baseUrl?: string | undefined;
  /** A gateway that runs already. */
  gateway?: string | undefined;
  /** The same as agents reach it. */
  agentGateway?: string | undefined;
  modelId?: string | undefined;
  expId: string;
  concurrency: number;
  /** Folder of all that outlives this process. */
  state: string;
  host: string;
  port: number;
  token?: string | undefined;
  /** Lines over stdin and stdout in place of HTTP. */
  stdio: boolean;
  /** Only tells where `art_collect.py` is. */
  pythonPath: boolean;
  json: boolean;
}

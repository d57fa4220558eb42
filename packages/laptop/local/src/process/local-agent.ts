import type { WarmPool } from './warm-pool.ts';

/** Program of one agent's sessions, after the check of its options. */
export interface AgentProgram {
  name: string;
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Where it gets its invocations. */
  invocationPath: string;
  /** Path that each of its processes is asked before it gets a session. */
  warmupPath: string | undefined;
  /** Lower-case names of further request headers that reach the container. */
  allowedHeaders: readonly string[];
}

/** One agent as the runtime runs it, with the identity that AgentCore would give it. */
export interface SessionAgent extends AgentProgram {
  /** `{name}-local00000`: AgentCore appends ten characters to a name as well. */
  runtimeId: string;
  arn: string;
  /** Environment of its process; asked for at its start, when the endpoint is known. */
  environment(port: number): NodeJS.ProcessEnv;
  /** Where its sessions get their processes. */
  pool: WarmPool;
}

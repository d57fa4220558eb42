/** One agent as the runtime runs it: checked options, and the identity that AgentCore would give it. */
export interface LocalAgent {
  name: string;
  /** `{name}-local00000`: AgentCore appends ten characters to a name as well. */
  runtimeId: string;
  arn: string;
  argv: readonly string[];
  cwd: string;
  /** Lower-case names of further request headers that reach the container. */
  allowedHeaders: readonly string[];
  /** What its process gets as environment; asked for at its start, when the endpoint is known. */
  environment(port: number): NodeJS.ProcessEnv;
}

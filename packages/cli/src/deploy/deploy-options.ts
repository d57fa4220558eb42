/** `art deploy` as its user wants it. */
export interface DeployOptions {
  /** @default the first of `agent.ts`, `src/agent.ts`, `main.ts` that there is */
  agent?: string | undefined;
  /** @default that of `agentcore.json`, else `codezip` */
  build?: 'codezip' | 'container' | undefined;
  project?: string | undefined;
  name?: string | undefined;
  bucket?: string | undefined;
  keyPrefix?: string | undefined;
  account?: string | undefined;
  region?: string | undefined;
  agentRuntimeArn?: string | undefined;
  /** Replaces files that somebody changed. */
  force: boolean;
  /** Prints what would be done, and does none of it. */
  dryRun: boolean;
  /** Calls AWS's CLI when all is there. */
  run: boolean;
  json: boolean;
}

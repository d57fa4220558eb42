/**
 * Modules that examples import and the workspace does not install: AWS's SDK for agents, 120 packages, only to be replaced. As far as the
 * examples need it, by the declarations of its version 0.4.4.
 */
export const foreignModules = `
declare module 'bedrock-agentcore/runtime' {
  import type { output, ZodType } from 'zod';
  export interface RequestContext { sessionId: string; headers: Record<string, string> }
  export interface InvocationHandler<Schema extends ZodType> {
    requestSchema?: Schema;
    process: (request: output<Schema>, context: RequestContext) => unknown;
  }
  export class BedrockAgentCoreApp<Schema extends ZodType> {
    constructor(params: { invocationHandler: InvocationHandler<Schema> });
    run(options?: { port?: number; host?: string }): void;
  }
}
`;

import { readMember } from '@art/ground';
import { runtimeHeaders } from '@art/protocol';
import type { InvokeAgentRuntimeCommand } from '@aws-sdk/client-bedrock-agentcore';

/**
 * Where a session can be called directly: only a runtime with `allowedPorts` has such an address. The SDK drops this header, which is newer than it.
 * @returns what the answer said, once it is there
 */
export function sessionEndpointOf(command: InvokeAgentRuntimeCommand): () => string | undefined {
  let url: string | undefined;
  command.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const header = readMember(readMember(result.response, 'headers'), runtimeHeaders.sessionEndpointUrl);
      url = typeof header === 'string' ? header : undefined;
      return result;
    },
    { step: 'deserialize', name: 'sessionEndpoint' },
  );
  return () => url;
}

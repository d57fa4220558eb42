import { ArtError, describeValue, isRegion } from '@art/ground';

/** The parts of `arn:{partition}:bedrock-agentcore:{region}:{account}:runtime/{runtimeId}`. */
export interface AgentRuntimeArn {
  arn: string;
  partition: string;
  region: string;
  accountId: string;
  /** Name and suffix as AgentCore made them, `my_agent-abc123`. */
  runtimeId: string;
}

const expected = 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/my_agent-abc123';

/**
 * Takes a runtime ARN apart. A version or endpoint behind the id is refused: the endpoint is the `qualifier` of a call.
 * @throws ArtError `ART_INVALID_ARN`, naming the part that is wrong.
 */
export function parseAgentRuntimeArn(arn: unknown): AgentRuntimeArn {
  const refuse = (what: string): never => {
    throw new ArtError({
      code: 'ART_INVALID_ARN',
      message: `Expected a runtime ARN like ${expected}, got ${describeValue(arn)}: ${what}.`,
    });
  };
  if (typeof arn !== 'string') return refuse('not a string');
  const parts = arn.split(':');
  if (parts[0] !== 'arn') return refuse('it does not start with "arn:"');
  if (parts.length !== 6) return refuse(`it has ${parts.length} parts between colons instead of 6`);
  const [, partition = '', service, region = '', accountId = '', resource = ''] = parts;
  if (!/^aws[a-z0-9-]*$/.test(partition))
    return refuse(`the partition "${partition}" is not an AWS partition`);
  if (service !== 'bedrock-agentcore') return refuse(`the service is "${service}", not "bedrock-agentcore"`);
  if (!isRegion(region)) return refuse(`the region "${region}" is not an AWS region`);
  if (!/^\d{12}$/.test(accountId)) return refuse(`the account "${accountId}" is not 12 digits`);
  const match = /^runtime\/([a-zA-Z][a-zA-Z0-9_-]{0,99})$/.exec(resource);
  if (match === null) return refuse(`the resource "${resource}" is not "runtime/" and a runtime id`);
  return { arn, partition, region, accountId, runtimeId: match[1]! };
}

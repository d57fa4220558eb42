/** Advice where an agent cannot reach the model gateway, or another endpoint of its rollout. */
export const reachAdvice =
  'Three ways lead from an agent on AgentCore to a gateway: a runtime in VPC mode, with the gateway at a private address there; a public address with TLS, and session keys ("art gateway --session-keys"); --reach session, which carries the calls through the session and needs no address.';

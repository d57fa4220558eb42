export type { AgentCheck } from './agent-check.ts';
export { agentChecks, checkAgent, type CheckAgentOptions } from './check-agent.ts';
export { bundleChecks } from './checks/bundle-checks.ts';
export {
  addressCheck,
  checkDockerfile,
  type DockerfileSources,
  type RuntimeAddress,
  unreachedBy,
} from './check-dockerfile.ts';
export { notesTrail, type RolloutTrail, trailDifference } from './rollout-trail.ts';
export { checkClient, type CheckClientOptions } from './check-client.ts';
export { fault, type Finding, must, ok, type Seen, skipped, type Verdict, warning } from './finding.ts';
export { type DependentCheck, runDependentChecks, type RunChecksOptions } from './run-checks.ts';
export type { RoomOptions } from './room/room.ts';

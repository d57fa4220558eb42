import { describeThrown } from '@art/ground';
import type { AgentCheck } from './agent-check.ts';
import { bundleChecks } from './checks/bundle-checks.ts';
import { inputChecks } from './checks/input-checks.ts';
import { packageChecks } from './checks/package-checks.ts';
import { pingChecks } from './checks/ping-checks.ts';
import { documentChecks } from './checks/document-checks.ts';
import { modelChecks } from './checks/model-checks.ts';
import { productionChecks } from './checks/production-checks.ts';
import { ripAgentChecks } from './checks/rip-checks.ts';
import { rolloutChecks } from './checks/rollout-checks.ts';
import { startAgentChecks } from './checks/start-checks.ts';
import { snapshotChecks } from './checks/snapshot-checks.ts';
import { stopChecks } from './checks/stop-checks.ts';
import { fault, type Finding, followsFrom, type Seen, skipped } from './finding.ts';
import { Room, type RoomOptions } from './room/room.ts';
import { runChecks, type RunChecksOptions } from './run-checks.ts';

/** Every check, in the order in which they are run. */
export const agentChecks: readonly AgentCheck[] = [
  ...startAgentChecks,
  ...packageChecks,
  ...pingChecks,
  ...productionChecks,
  ...rolloutChecks,
  ...documentChecks,
  ...modelChecks,
  ...ripAgentChecks,
  ...inputChecks,
  ...snapshotChecks,
  ...stopChecks,
];

export interface CheckAgentOptions extends Omit<RoomOptions, 'env'>, RunChecksOptions {
  /** Environment of the agent, beside its port and the addresses of AWS. @default that of this process */
  env?: NodeJS.ProcessEnv | undefined;
  /** Which checks, in order. @default `agentChecks`, after `bundleChecks` where there is a bundle */
  checks?: readonly AgentCheck[] | undefined;
}

/**
 * Runs every check on an agent: the contract of AgentCore's containers, the rollouts, and what people get wrong. The agent is
 * started six times, and asks two scripted models and an S3 on loopback. Nothing is left running.
 * @returns one finding a check, in order
 * @throws the signal's reason
 */
export async function checkAgent(options: CheckAgentOptions): Promise<Finding[]> {
  const { agent, payload, otherPayload, env = process.env, initTimeoutMs } = options;
  const isBundle = 'command' in agent && agent.bundle !== undefined;
  const checks = options.checks ?? (isBundle ? [...bundleChecks, ...agentChecks] : agentChecks);
  const room = await Room.open({ agent, payload, otherPayload, env, initTimeoutMs });
  const failed = new Set<string>();
  let diedIn: string | undefined;
  const runOne = async (check: AgentCheck): Promise<Seen> => {
    // Whatever is asked of an agent that has died says the same once more.
    if (diedIn !== undefined) return followsFrom(diedIn);
    const seen = await run(check, room, failed);
    // What was skipped because of a fault stands for that fault, for those that come after it.
    if (seen.verdict !== 'ok') failed.add(check.id);
    const death = seen.verdict === 'fault' ? await room.death() : undefined;
    if (death === undefined) return seen;
    diedIn = check.id;
    return fault(`${seen.seen}\n${death}`);
  };
  try {
    return await runChecks(checks, runOne, options);
  } finally {
    await room.close();
  }
}

async function run(check: AgentCheck, room: Room, failed: ReadonlySet<string>): Promise<Seen> {
  if (check.requires === 'process' && !room.hasProcess)
    return skipped('This agent was not started by the doctor.');
  const because = [check.after ?? [], room.hasProcess ? 'start.answers' : []]
    .flat()
    .find((id) => id !== check.id && failed.has(id));
  if (because !== undefined) return followsFrom(because);
  try {
    return await check.run(room);
  } catch (error) {
    return fault(describeThrown(error).message);
  }
}

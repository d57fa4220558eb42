import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeededRandom } from '../../../chaos/seeded-random.ts';
import { type Kill, playAgentRound, type RoundSize, type Victim, victims } from './agent-round.ts';

export interface AgentChaosOptions {
  seed: number;
  /** How often a process is killed, in all. */
  instants: number;
  size?: RoundSize | undefined;
  onProgress?: ((line: string) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface AgentChaosReport {
  rounds: number;
  /** How often each was killed. */
  killed: Record<Victim, number>;
  /** How often the same command was given again after the loop had ended with an error. */
  resumed: number;
  violations: string[];
}

const usualSize: RoundSize = { steps: 6, groupsPerStep: 2, checkpointEverySteps: 2, kills: 5, mostCalls: 60 };

/**
 * Kills the loop, the gateway, the local AgentCore and the training service at calls that the seed chooses, while calls of the service fail, lose
 * their answers and leave gaps: every step has to be applied once, and nothing may continue afterwards.
 */
export async function runAgentChaos(options: AgentChaosOptions): Promise<AgentChaosReport> {
  const { seed, instants, size = usualSize, onProgress = () => undefined, signal } = options;
  const random = new SeededRandom(seed, 'train', 'agents');
  const report: AgentChaosReport = {
    rounds: 0,
    killed: { loop: 0, gateway: 0, agents: 0, service: 0 },
    resumed: 0,
    violations: [],
  };
  const done = (): number => Object.values(report.killed).reduce((sum, count) => sum + count, 0);
  while (done() < instants && report.violations.length === 0) {
    const orders: string[] = [];
    const last = Math.min(instants, done() + size.kills);
    const nextKill = (): Kill | undefined => {
      if (done() >= last) return undefined;
      const victim = random.pick(victims);
      const kill = { victim, calls: random.integer(1, size.mostCalls), isAfter: random.chance(0.5) };
      orders.push(`${victim} ${kill.isAfter ? 'after' : 'at'} call ${kill.calls}`);
      return kill;
    };
    const root = await mkdtemp(join(tmpdir(), 'art-agent-chaos-'));
    const round = await playAgentRound({
      root,
      size,
      faultSeed: random.integer(1, 1_000_000),
      nextKill,
      onKilled: (victim) => (report.killed[victim] += 1),
      signal,
    });
    report.rounds += 1;
    report.resumed += round.resumed;
    if (round.violations.length === 0) await rm(root, { recursive: true, force: true, maxRetries: 10 });
    else orders.push(`everything is in ${root}`);
    report.violations.push(
      ...round.violations.map((violation) => `round ${report.rounds} (${orders.join(', ')}): ${violation}`),
    );
    onProgress(
      `${done()} of ${instants} instants, ${report.rounds} rounds, ${report.violations.length} violations`,
    );
  }
  return report;
}

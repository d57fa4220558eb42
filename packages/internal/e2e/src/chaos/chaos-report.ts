import type { Violation } from './evidence/round-evidence.ts';

/** Events and findings of a run. */
export interface ChaosReport {
  seed: number;
  minutes: number;
  rounds: number;
  rollouts: number;
  handlerRuns: number;
  clientKills: number;
  clientLives: number;
  agentKills: number;
  runtimeKills: number;
  twins: number;
  /** Injected into sessions: at their start, invocations, stops, pings, and while they store. */
  sessionFaults: number;
  /** Injected into reads and lists of the store. */
  storeFaults: number;
  violations: ChaosViolation[];
}

export interface ChaosViolation extends Violation {
  round: number;
  timeline?: string | undefined;
}

/** For people. */
export function formatChaosReport(report: ChaosReport): string {
  const count = (...names: Violation['invariant'][]): number =>
    report.violations.filter(({ invariant }) => names.includes(invariant)).length;
  const { rounds, rollouts, handlerRuns, clientKills, agentKills, runtimeKills, twins } = report;
  return [
    ...report.violations.map(
      ({ round, invariant, message, timeline }) =>
        `seed ${report.seed}, round ${round}: ${invariant}: ${message}\n${timeline ?? ''}`,
    ),
    `seed ${report.seed}: ${rollouts} rollouts in ${rounds} rounds, ${handlerRuns} handler runs, ${report.minutes.toFixed(1)} min`,
    `${clientKills} client kills, ${report.sessionFaults + agentKills} session faults (${agentKills} by kill -9), ${report.storeFaults} store faults, ${runtimeKills} runtime kills, ${twins} double resumes`,
    `${count('lost')} lost, ${count('doubled', 'ran_twice')} doubled, ${count('orphan')} orphans, ${count('forged', 'wrong_outcome', 'two_holders', 'refused')} other violations`,
  ].join('\n');
}

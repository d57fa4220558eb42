import {
  type HealthFinding,
  type HealthLevel,
  type HealthOptions,
  RunHealth,
  SilentStart,
} from '@art/eval/health';

type WatchedRollout = Parameters<RunHealth['see']>[0];

/** Last report of a run about its health. */
export interface HealthEvent {
  event: 'health';
  rollouts: number;
  worst: HealthLevel | null;
  /** Without notes. */
  findings: (Omit<HealthFinding, 'state' | 'rollouts'> & { check: string })[];
}

/** Checks that do not depend on what the policy is able to do. */
export const plumbing: readonly string[] = [
  'infrastructure_failures',
  'agent_errors',
  'no_model_calls',
  'model_calls_failed',
  'prompt_identical_across_tasks',
  'capture_incomplete',
  'nothing_trains',
  'reward_missing',
  'reward_out_of_range',
];

/** Looks at the rollouts of a run that continues: says early that no model is called, and at the end what is wrong. */
export class HealthWatch {
  readonly #health: RunHealth;
  readonly #start = new SilentStart();
  readonly #note: (message: string) => void;
  readonly #checks: readonly string[] | undefined;

  /** @param checks those that count @default all */
  constructor(options: HealthOptions, note: (message: string) => void, checks?: readonly string[]) {
    this.#health = new RunHealth(options);
    this.#note = note;
    this.#checks = checks;
  }

  see(rollout: WatchedRollout): void {
    this.#health.see(rollout);
    const silence = this.#start.see(rollout);
    if (silence !== undefined) this.#note(silence);
  }

  /** Undefined where no rollout has ended. */
  get event(): HealthEvent | undefined {
    const { rollouts, checks } = this.#health.report();
    if (rollouts === 0) return undefined;
    const findings = checks.flatMap((result) => {
      const counts = this.#checks?.includes(result.check) ?? true;
      if (!counts || result.state !== 'finding' || result.level === 'note') return [];
      const { state: _, rollouts: __, ...finding } = result;
      return [finding];
    });
    const worst = (['error', 'warning'] as const).find((level) =>
      findings.some((finding) => finding.level === level),
    );
    return { event: 'health', rollouts, worst: worst ?? null, findings };
  }
}

/** A line for each finding, and one more that says where the rest is; nothing where there is none. @param where to read what to do */
export function formatHealth({ findings }: HealthEvent, where: string | undefined): string {
  const lines = findings.map(
    ({ level, check, message, nextStep }) =>
      `Health: ${level} ${check}: ${message}${where === undefined ? ` ${nextStep}` : ''}\n`,
  );
  if (findings.length > 0 && where !== undefined) lines.push(`${where} says where, and what to do.\n`);
  return lines.join('');
}

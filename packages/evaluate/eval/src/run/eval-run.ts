import type { Estimate, PassEstimate, ResultsRecord } from '../records/results-record.ts';
import type { RunRecord } from '../records/run-record.ts';
import type { SampleRecord } from '@art/trajectories';
import { readSamples } from '../records/read-samples.ts';
import { clustersOf, passEstimate, type TaskCluster } from '../results/pass-estimate.ts';
import {
  checkThresholds,
  type ThresholdCheck,
  type Thresholds,
  type ThresholdVerdict,
} from '../results/thresholds.ts';
import { type RunScores } from '../results/task-scores.ts';
import { passAtK, passPowerK } from '../statistics/pass-at-k.ts';
import { aNumber, ArtError, refuseOption } from '@art/ground';

const aCount = aNumber({ min: 1, integer: true });

/** A run that has ended, and its figures. */
export class EvalRun {
  readonly folder: string;
  readonly record: RunRecord;
  readonly results: ResultsRecord;
  readonly #scores: RunScores;

  constructor(folder: string, record: RunRecord, results: ResultsRecord, scores: RunScores) {
    this.folder = folder;
    this.record = record;
    this.results = results;
    this.#scores = scores;
  }

  /** Mean score. @throws ArtError `ART_NOT_JUDGED` where no sample was judged */
  get mean(): Estimate {
    return this.results.mean ?? this.#notJudged('a mean');
  }

  /** Probability that at least one of k samples passes. @throws ArtError `ART_NOT_JUDGED` where no task has k judged samples */
  passAt(k: number): PassEstimate {
    return this.#passes(k, passAtK) ?? this.#notJudged(`pass@${k}`);
  }

  /** Probability that all of k samples pass. @throws ArtError `ART_NOT_JUDGED` where no task has k judged samples */
  passPower(k: number): PassEstimate {
    return this.#passes(k, passPowerK) ?? this.#notJudged(`pass^${k}`);
  }

  /** Checks if the run reaches thresholds. */
  check(thresholds: Thresholds): { verdict: ThresholdVerdict; checks: ThresholdCheck[] } {
    const { minPassAt, minTasks } = thresholds;
    for (const k of Object.keys({ ...minPassAt, ...minTasks })) aCount(Number(k), 'k');
    const [least, greatest] = thresholds.rewardRange ?? [0, 1];
    if (!(least < greatest))
      refuseOption('rewardRange', 'the least and the greatest reward', thresholds.rewardRange);
    return checkThresholds(this.results, this.#clusters, this.record, thresholds);
  }

  /** Every sample, as it is written down; later lines about a sample replace earlier ones. */
  async *samples(): AsyncGenerator<SampleRecord, void, undefined> {
    for await (const { record } of readSamples(this.folder)) yield record;
  }

  get #clusters(): TaskCluster[] {
    return clustersOf(this.#scores.tasks.values(), this.record.samples);
  }

  #passes(k: number, estimator: typeof passAtK): PassEstimate | undefined {
    aCount(k, 'k');
    return passEstimate(this.#clusters, this.record.passReward, k, estimator);
  }

  #notJudged(what: string): never {
    const { byReason } = this.results.excluded;
    const reasons = Object.entries(byReason).map(([reason, count]) => `${count} ${reason}`);
    throw new ArtError({
      code: 'ART_NOT_JUDGED',
      message: `Expected enough judged samples for ${what}, got ${this.results.samples.scored} of ${this.results.samples.recorded} samples${reasons.length === 0 ? '' : `; excluded are ${reasons.join(', ')}`}. The folder ${this.folder} tells why.`,
    });
  }
}

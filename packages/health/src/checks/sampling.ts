import type { TrainingRow } from '@art/trajectories';
import { Tally } from '../result/tally.ts';
import { healthy, notObserved, type HealthCheck } from './health-check.ts';

/** Several temperatures in one run: the agent overrides what the trainer asked for. */
export const samplingNotAsAsked: HealthCheck = {
  id: 'sampling_not_as_asked',
  observe({ purpose }) {
    const seen = new Map<string, string>();
    return {
      see({ id, rows }) {
        for (const { temperature, top_p: topP } of (rows ?? []).flatMap((row) => row.turn_spans)) {
          if (temperature === undefined && topP === undefined) continue;
          const name = `temperature ${temperature ?? 'unset'}, top_p ${topP ?? 'unset'}`;
          if (!seen.has(name)) seen.set(name, id);
        }
      },
      judge() {
        if (seen.size === 0) return notObserved('no row says how it was sampled');
        if (seen.size === 1) return healthy;
        const places = new Tally();
        for (const id of seen.values()) places.see(true, { id });
        return places.finding(
          purpose === 'training' ? 'warning' : 'note',
          `Answers were sampled in ${seen.size} ways: ${[...seen.keys()].slice(0, 4).join('; ')}.`,
          "Let the gateway enforce the trainer's sampling for its sessions.",
        );
      },
    };
  },
};

/** Rollouts that several versions of the weights sampled. */
export const weightVersionsMixed: HealthCheck = {
  id: 'weight_versions_mixed',
  observe({ maxVersionLag }) {
    const mixed = new Tally();
    let widest = 0;
    return {
      see({ id, rows }) {
        const versions = versionsOf(rows ?? []);
        if (versions.size === 0) return;
        const numbers = [...versions].map(Number).filter(Number.isFinite);
        const lag = numbers.length > 1 ? Math.max(...numbers) - Math.min(...numbers) : 0;
        widest = Math.max(widest, lag);
        mixed.see(maxVersionLag === undefined ? versions.size > 1 : lag > maxVersionLag, { id });
      },
      judge() {
        if (mixed.seen === 0) return notObserved('no row says which weights sampled it');
        if (mixed.hits === 0) return healthy;
        return mixed.finding(
          maxVersionLag === undefined ? 'note' : 'warning',
          `${mixed.of('rollouts')} were sampled by several versions of the weights, up to ${widest} apart.`,
          'Plain importance sampling needs one version. Use a clipped loss, end long rollouts earlier, or load weights between steps only.',
        );
      },
    };
  },
};

function versionsOf(rows: readonly TrainingRow[]): Set<string> {
  return new Set(
    rows
      .flatMap((row) => row.turn_spans)
      .flatMap(({ weight_version: version, weight_versions: told }) =>
        told !== undefined && told.length > 0
          ? told.map((span) => span.version)
          : version === undefined || version === null
            ? []
            : [String(version)],
      ),
  );
}

import type { RecordedRollout } from '@art/trajectories';
import { Tally } from '../result/tally.ts';
import { healthy, notObserved, type HealthCheck } from './health-check.ts';

/** Temperatures that are not those of the run: the agent overrides what the trainer asked for. */
export const samplingNotAsAsked: HealthCheck = {
  id: 'sampling_not_as_asked',
  observe({ purpose, temperature: askedTemperature, topP: askedTopP }) {
    const seen = new Map<string, { id: string; isAsked: boolean }>();
    return {
      see(rollout) {
        for (const { temperature, topP } of samplingOf(rollout)) {
          const name = `temperature ${temperature ?? 'unset'}, top_p ${topP ?? 'unset'}`;
          seen.set(name, {
            id: seen.get(name)?.id ?? rollout.id,
            isAsked: isAsked(askedTemperature, temperature) && isAsked(askedTopP, topP),
          });
        }
      },
      judge() {
        if (seen.size === 0) return notObserved('nobody recorded how answers were sampled');
        const ways = [...seen.values()];
        if (seen.size === 1 && ways.every((way) => way.isAsked)) return healthy;
        const places = new Tally();
        // Where it was said what is right, the others are the places to look at.
        const others = ways.filter((way) => !way.isAsked);
        for (const { id } of others.length > 0 ? others : ways) places.see(true, { id });
        return places.finding(
          purpose === 'training' ? 'warning' : 'note',
          `Answers were sampled in ${seen.size === 1 ? 'another way' : `${seen.size} ways`}: ${[...seen.keys()].slice(0, 4).join('; ')}.`,
          "Let the gateway enforce the trainer's sampling for its sessions.",
        );
      },
    };
  },
};

/** True if the engine was given what was asked for; nobody knows its defaults. */
function isAsked(asked: number | undefined, told: number | undefined): boolean {
  return asked === undefined || asked === told;
}

interface Sampling {
  temperature: number | undefined;
  topP: number | undefined;
}

/** Sampling of each call, or of each turn of the rows where the calls do not say. */
function samplingOf({ conversation, rows = [] }: RecordedRollout): Sampling[] {
  const known = ({ temperature, topP }: Sampling): boolean => temperature !== undefined || topP !== undefined;
  const calls = (conversation?.calls ?? []).map(({ temperature, topP }) => ({
    temperature: temperature ?? undefined,
    topP: topP ?? undefined,
  }));
  if (calls.some(known)) return calls.filter(known);
  return rows
    .flatMap((row) => row.turn_spans)
    .map(({ temperature, top_p: topP }) => ({ temperature, topP }))
    .filter(known);
}

/** Rollouts that several versions of the weights sampled. */
export const weightVersionsMixed: HealthCheck = {
  id: 'weight_versions_mixed',
  observe({ maxVersionLag }) {
    const mixed = new Tally();
    let widest = 0;
    return {
      see(rollout) {
        const { id } = rollout;
        const versions = versionsOf(rollout);
        if (versions.size === 0) return;
        const numbers = [...versions].map(Number).filter(Number.isFinite);
        const lag = numbers.length > 1 ? Math.max(...numbers) - Math.min(...numbers) : 0;
        widest = Math.max(widest, lag);
        // Of names nobody knows how far they are apart.
        const isFar = maxVersionLag === undefined || numbers.length < versions.size;
        mixed.see(isFar ? versions.size > 1 : lag > maxVersionLag, { id });
      },
      judge() {
        if (mixed.seen === 0) return notObserved('nobody recorded which weights sampled');
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

/** As rows tell them, which know several versions in one answer; of calls where there are no rows. */
function versionsOf({ conversation, rows = [] }: RecordedRollout): Set<string> {
  const told = rows
    .flatMap((row) => row.turn_spans)
    .flatMap(
      ({ weight_version: version, weight_versions: spans = [] }): (string | number | null | undefined)[] =>
        spans.length > 0 ? spans.map((span) => span.version) : [version],
    );
  const versions = told.length > 0 ? told : (conversation?.calls ?? []).map((call) => call.weightVersion);
  return new Set(versions.flatMap((version) => version ?? []).map(String));
}

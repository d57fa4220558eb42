import type { SessionOutput, SharedValue } from './shared-values.ts';

/** A span of time, in milliseconds. */
export interface TimeSpan {
  fromMs: number;
  toMs: number;
}

/** Stamps in an output that are of this span: ISO texts, and milliseconds or seconds since 1970. */
export function stampsWithin(output: SessionOutput, { fromMs, toMs }: TimeSpan): SharedValue[] {
  const isWithin = (ms: number): boolean => ms >= fromMs && ms <= toMs;
  // A stamp in whole seconds was cut.
  const isSecond = (value: number): boolean => isWithin(value * 1_000) || isWithin(value * 1_000 + 999);
  return [...output].flatMap(([where, value]): SharedValue[] => {
    if (typeof value === 'number') return isWithin(value) || isSecond(value) ? [{ where, value }] : [];
    const stamp = (value.match(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?|\d{10,13}(?:\.\d+)?/g) ?? []).find(
      (text) => {
        if (!text.includes('T')) return isWithin(Number(text)) || isSecond(Number(text));
        const ms = Date.parse(text.endsWith('Z') ? text : `${text}Z`);
        return isWithin(ms) || (!text.includes('.') && isWithin(ms + 999));
      },
    );
    return stamp === undefined ? [] : [{ where, value: stamp }];
  });
}

/** The durations that a session could measure since its process began. */
export interface Durations {
  /** How far the wall clock jumped at the restore. */
  movedMs: number;
  /** How long the session lasted at most. */
  sessionMs: number;
  /** Reads of the monotonic clock by the agent's own code before the restore, and after it. */
  startReadsMs: readonly number[];
  sessionReadsMs: readonly number[];
}

/** Shorter ones are taken for something else, such as the status of an answer. */
export const shortestMs = 1_000;

/** Numbers in an output that are a duration from before the restore, in milliseconds or seconds. */
export function durationsIn(output: SessionOutput, measured: Durations): SharedValue[] {
  const { movedMs, sessionMs, startReadsMs, sessionReadsMs } = measured;
  const spans = sessionReadsMs.flatMap((read) => startReadsMs.map((since) => read - since));
  const isMeasured = (ms: number, roundedMs: number): boolean =>
    spans.some((span) => Math.abs(span - ms) <= roundedMs);
  const isJump = (ms: number): boolean => ms >= movedMs - 1_000 && ms <= movedMs + sessionMs;
  return [...output].flatMap(([where, value]): SharedValue[] => {
    if (typeof value !== 'number' || value <= 0) return [];
    const isWhole = Number.isInteger(value);
    const isMs = isJump(value) || (value >= shortestMs && isMeasured(value, isWhole ? 1 : 0.001));
    // Whole seconds are too coarse to know a duration by, unless it is the jump.
    const isSeconds = isJump(value * 1_000) || (!isWhole && isMeasured(value * 1_000, 1));
    return isMs || isSeconds ? [{ where, value }] : [];
  });
}

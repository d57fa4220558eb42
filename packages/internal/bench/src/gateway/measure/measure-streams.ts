import type { LoadGenerator } from '../load/start-load-generator.ts';
import type { RunningSubject } from '../subjects/running-subject.ts';
import type { SubjectKind } from '../subjects/subject-kind.ts';
import { measureLoad, type MeasuredLoad } from './measured-load.ts';
import { median } from './median.ts';

/** Streams of tokens that come one by one. */
export interface StreamPlan {
  promptTokens: number;
  chunks: number;
  paceMs: number;
  concurrency: number;
  streams: number;
  rounds: number;
}

/** How long a token took from the engine to the agent; medians of the rounds. */
export interface StreamRun {
  subject: SubjectKind;
  chunks: number;
  p50Ms: number;
  p99Ms: number;
  cpuMicrosecondsPerChunk: number | undefined;
}

export async function measureStreams(
  plan: StreamPlan,
  parts: { load: LoadGenerator; subjects: readonly RunningSubject[] },
): Promise<StreamRun[]> {
  const { promptTokens, chunks, paceMs, concurrency, streams } = plan;
  const model = { kind: 'stream', promptTokens, chunks, paceMs } as const;
  const measured = new Map<RunningSubject, MeasuredLoad[]>(parts.subjects.map((subject) => [subject, []]));
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const [subject, runs] of measured) {
      runs.push(await measureLoad(parts.load, subject, { kind: 'streams', model, concurrency, streams }));
    }
  }
  return Array.from(measured, ([{ kind }, runs]) => ({
    subject: kind,
    chunks: runs.reduce((sum, { latency }) => sum + latency.count, 0),
    p50Ms: median(runs.map(({ latency }) => latency.p50)) ?? Number.NaN,
    p99Ms: median(runs.map(({ latency }) => latency.p99)) ?? Number.NaN,
    cpuMicrosecondsPerChunk: median(
      runs.map(({ cpuMs, latency }) => cpuMs && (cpuMs * 1_000) / latency.count),
    ),
  }));
}

import type { CellResult } from './measure/call-cell.ts';
import type { MemoryRun } from './measure/measure-memory.ts';
import type { StreamRun } from './measure/measure-streams.ts';

/** A cell on one line for each subject, for anyone who waits. */
export function formatCell({ cell, runs }: CellResult): string {
  const { promptTokens, completionTokens, concurrency, engineMs } = cell;
  const engine = engineMs === 0 ? '' : `, engine ${engineMs} ms`;
  return [
    `  ${promptTokens} + ${completionTokens} tokens, c=${concurrency}${engine}`,
    ...runs.map((run) =>
      [
        `    ${run.subject}: p50 ${run.p50Ms.toFixed(2)} p99 ${run.p99Ms.toFixed(2)} ms`,
        `${run.requestsPerSecond.toFixed(0)} requests/s`,
        ...(run.cpuMsPerCall === undefined ? [] : [`CPU ${run.cpuMsPerCall.toFixed(3)} ms`]),
        ...(run.eventLoopLagP99Ms === undefined
          ? []
          : [`event loop lag p99 ${run.eventLoopLagP99Ms.toFixed(1)} ms`]),
      ].join(', '),
    ),
  ].join('\n');
}

export function formatStreams(runs: readonly StreamRun[]): string {
  return [
    '  streams',
    ...runs.map(({ subject, chunks, p50Ms, p99Ms, cpuMicrosecondsPerChunk }) =>
      [
        `    ${subject}: ${chunks} tokens, p50 ${p50Ms.toFixed(3)} p99 ${p99Ms.toFixed(2)} ms`,
        ...(cpuMicrosecondsPerChunk === undefined ? [] : [`CPU ${cpuMicrosecondsPerChunk.toFixed(0)} us`]),
      ].join(', '),
    ),
  ].join('\n');
}

export function formatMemory(run: MemoryRun): string {
  const { nodeFlags, sessions, turns, tokens, growthBytes, growthAgainBytes } = run;
  const flags = nodeFlags.length === 0 ? '' : ` (${nodeFlags.join(' ')})`;
  return `  ${sessions} sessions of ${turns} turns and ${tokens} tokens${flags}: ${megabytes(growthBytes)}, with as many others in their place ${megabytes(growthAgainBytes)}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

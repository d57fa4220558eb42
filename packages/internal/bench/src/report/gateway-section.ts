import { formatCount, formatMebibytes } from './format-number.ts';
import { markdownTable } from './markdown-table.ts';
import { targetTable } from './target-table.ts';
import type { Target } from './target.ts';
import type { GatewayRun } from '../gateway/gateway-run.ts';
import type { CellResult } from '../gateway/measure/call-cell.ts';
import type { MemoryRun } from '../gateway/measure/measure-memory.ts';
import { subjectTitles } from '../gateway/subjects/subject-kind.ts';

/** Findings of the benchmark of the gateway, as paragraphs of Markdown. */
export function gatewaySection(run: GatewayRun, targets: readonly Target[]): string[] {
  return [
    '## Token-capture gateway (`gateway`)',
    setting(run),
    ...(run.objections.length === 0
      ? []
      : [
          `**Not valid: what does more came out faster.** Run it again on a quiet machine.\n\n${run.objections.map((line) => `- ${line}`).join('\n')}`,
        ]),
    cellTable(Object.values(run.cells)),
    streamTable(run),
    ...run.memory.map(memoryText),
    ...targetTable(targets),
    'Tokens lost or altered: the first, the middle and the last session of every run above were compared token by token with what the engine sent. Disconnects, retries and `kill -9` are the chaos test’s of `@art/e2e`.',
  ];
}

function setting({ isPinned }: GatewayRun): string {
  return [
    'A mock engine that takes no time and sends vLLM’s bytes with ids and raw logprobs; each call in its own session.',
    isPinned
      ? 'The gateway is alone on one core, engine and load generator share another.'
      : 'Processes could not be held on cores here.',
    'Rounds in which all take part in turn, after a warm-up; each number is the median of the rounds. CPU is that of the gateway’s process and does not depend on the load generator.',
  ].join(' ');
}

function cellTable(cells: readonly CellResult[]): string {
  return markdownTable(
    [
      'tokens',
      'c',
      'engine ms',
      'subject',
      'calls',
      'requests/s',
      'p50 ms',
      'p99 ms',
      'CPU ms per call',
      'event loop lag p99 ms',
    ],
    cells.flatMap(({ cell, runs }) =>
      runs.map((run) => [
        `${formatCount(cell.promptTokens)} + ${formatCount(cell.completionTokens)}`,
        String(cell.concurrency),
        String(cell.engineMs),
        subjectTitles[run.subject],
        `${run.rounds} x ${formatCount(run.callsEach)}`,
        formatCount(run.requestsPerSecond),
        run.p50Ms.toFixed(2),
        run.p99Ms.toFixed(2),
        run.cpuMsPerCall?.toFixed(3) ?? '',
        run.eventLoopLagP99Ms?.toFixed(1) ?? '',
      ]),
    ),
  );
}

function streamTable({ streams }: GatewayRun): string {
  const { paceMs, concurrency, promptTokens } = streams.plan;
  return [
    `${concurrency} streams at a time, a token every ${paceMs} ms, prompts of ${formatCount(promptTokens)} tokens: how long each token took from the engine to the agent.`,
    markdownTable(
      ['subject', 'tokens', 'p50 ms', 'p99 ms', 'CPU µs per token'],
      streams.runs.map((run) => [
        subjectTitles[run.subject],
        formatCount(run.chunks),
        run.p50Ms.toFixed(3),
        run.p99Ms.toFixed(2),
        run.cpuMicrosecondsPerChunk?.toFixed(0) ?? '',
      ]),
    ),
  ].join('\n\n');
}

function memoryText(run: MemoryRun): string {
  const { nodeFlags, sessions, turns, tokens, growthBytes, growthAgainBytes, startRssBytes } = run;
  const flags = nodeFlags.length === 0 ? '' : ` with Node’s ${nodeFlags.join(' ')}`;
  return `${formatCount(sessions)} sessions of ${turns} turns that grow to ${formatCount(tokens)} tokens, half of them sampled with logprobs, four bytes of text each: the process grew by ${formatMebibytes(growthBytes)} MiB from ${formatMebibytes(startRssBytes)} MiB${flags}, and by ${formatMebibytes(growthAgainBytes)} MiB once these were deleted and as many others had come.`;
}

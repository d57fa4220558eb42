import type { ServerRun } from '../scenarios/run-server-scenario.ts';
import { formatCount, formatMebibytes } from './format-number.ts';
import { markdownTable } from './markdown-table.ts';
import { targetTable } from './target-table.ts';
import type { Target } from './target.ts';

/** Findings of the benchmark of the agent server, as paragraphs of Markdown. */
export function serverSection(runs: readonly ServerRun[], targets: readonly Target[]): string[] {
  return [
    '## Agent server (`server`)',
    'Rollout requests over 50 connections against an agent on `@art/agent` in its default options, request log included; `/ping` is asked every 50 ms meanwhile. The load generator has the other core.',
    markdownTable(
      [
        'store PUT',
        'accepts /s',
        'accept p50 ms',
        'p99',
        'max',
        '/ping p50 ms',
        'p99',
        'max',
        'accepted',
        'stored',
        'peak RSS MiB',
      ],
      runs.map(({ putMs, acceptsPerSecond, acceptLatency, pingLatency, accepted, stored, peakRssBytes }) => [
        `${putMs} ms`,
        formatCount(acceptsPerSecond),
        ...[acceptLatency, pingLatency].flatMap(({ p50, p99, max }) =>
          [p50, p99, max].map((ms) => ms.toFixed(1)),
        ),
        formatCount(accepted),
        formatCount(stored),
        formatMebibytes(peakRssBytes),
      ]),
    ),
    ...targetTable(targets),
  ];
}

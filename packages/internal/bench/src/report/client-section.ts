import { nameOf } from '../plot/lag-plot.ts';
import { describeDurations } from '../workload/duration-model.ts';
import type { BenchReport } from './bench-report.ts';
import { formatCount, formatMebibytes, formatSeconds } from './format-number.ts';
import { markdownTable } from './markdown-table.ts';
import { targetTable } from './target-table.ts';

type ClientsResult = Extract<BenchReport['results'][number], { kind: 'clients' }>;

/** Findings of a benchmark of rollout clients, as paragraphs of Markdown. */
export function clientSection(result: ClientsResult, pictures: readonly string[]): string[] {
  const { scenario, runs, targets } = result;
  return [
    `## ${scenario.title} (\`${scenario.name}\`)`,
    `${scenario.about} ${setting(result)}`,
    timeTable(result),
    costTable(result),
    ...(runs.length > 1 ? [ratioTable(result)] : []),
    ...targetTable(targets),
    ...pictures.map((file) => `![${scenario.title}](${file})`),
  ];
}

function setting({ scenario }: ClientsResult): string {
  const { endpoint, task, historyKeys = 0, repeats } = scenario;
  const { invokeMs, headMs, getMs, listMs, stopMs } = endpoint.latency;
  return [
    `Agents: ${describeDurations(endpoint.durations)}.`,
    `Concurrency ${formatCount(task.maxConcurrentSessions)}.`,
    historyKeys > 0 ? `${formatCount(historyKeys)} older results.` : '',
    task.consumerMs > 0 ? `Consumer ${task.consumerMs} ms an item.` : '',
    `Latency in ms: invoke ${invokeMs}, HEAD ${headMs}, GET ${getMs}, LIST ${listMs}, stop ${stopMs}.`,
    repeats > 1 ? `Median of ${repeats} runs by CPU.` : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function timeTable({ scenario, runs }: ClientsResult): string {
  return markdownTable(
    [
      'client',
      'rollouts',
      'outcomes',
      'wall s',
      'wall / clairvoyant',
      'wall / last result',
      'lag p50 s',
      'p90',
      'p99',
      'max',
    ],
    runs.map((run) => [
      nameOf(run, scenario.task.rollouts),
      formatCount(run.rollouts),
      Object.entries(run.outcomes)
        .map(([kind, times]) => `${kind} ${formatCount(times)}`)
        .join(', '),
      formatSeconds(run.wallMs),
      (run.wallMs / run.clairvoyantMs).toFixed(3),
      (run.wallMs / run.lastStoredMs).toFixed(3),
      ...(['p50', 'p90', 'p99', 'max'] as const).map((name) => (run.lag ? formatSeconds(run.lag[name]) : '')),
    ]),
  );
}

function costTable({ scenario, runs }: ClientsResult): string {
  return markdownTable(
    [
      'client',
      'invoke',
      'asked, per rollout',
      'most in 1 s',
      'HEAD',
      'LIST',
      'GET',
      'stop',
      'watching, HEADs per rollout',
      'refused 429 / 402',
      'CPU s per 1,000',
      'peak RSS MiB',
      'of it at start',
      'new sessions /s',
    ],
    runs.map((run) => {
      const { counts, rollouts } = run;
      return [
        nameOf(run, scenario.task.rollouts),
        ((counts.invoke + counts.invokeRepeated) / rollouts).toFixed(2),
        (counts.ask / rollouts).toFixed(2),
        `${counts.askPeakPerSecond}`,
        (counts.head / rollouts).toFixed(2),
        (counts.list / rollouts).toFixed(2),
        ((counts.get + counts.getMissing) / rollouts).toFixed(2),
        (counts.stop / rollouts).toFixed(2),
        run.watchCostPerRollout.toFixed(2),
        `${counts.invokeThrottled} / ${counts.invokeOverQuota}`,
        run.cpuMsPerRollout.toFixed(2),
        formatMebibytes(run.peakRssBytes),
        formatMebibytes(run.startRssBytes),
        run.newSessionsPerSecond.toFixed(1),
      ];
    }),
  );
}

function ratio(theirs: number | undefined, ours: number | undefined): string {
  return theirs === undefined || ours === undefined || ours === 0 ? '' : `${(theirs / ours).toFixed(2)}x`;
}

/** Every other client over this project's: above 1 means that it takes more. */
function ratioTable({ scenario, runs }: ClientsResult): string {
  const art = runs.find(({ client }) => client === 'art');
  if (art === undefined) return '';
  return markdownTable(
    [
      'compared with ART for TypeScript',
      'wall / clairvoyant',
      'lag p50',
      'lag p99',
      'watching cost',
      'CPU',
      'peak RSS',
    ],
    runs
      .filter(({ client }) => client !== 'art')
      .map((run) => [
        nameOf(run, scenario.task.rollouts),
        ratio(run.wallMs / run.clairvoyantMs, art.wallMs / art.clairvoyantMs),
        ratio(run.lag?.p50, art.lag?.p50),
        ratio(run.lag?.p99, art.lag?.p99),
        ratio(run.watchCostPerRollout, art.watchCostPerRollout),
        ratio(run.cpuMsPerRollout, art.cpuMsPerRollout),
        ratio(run.peakRssBytes, art.peakRssBytes),
      ]),
  );
}

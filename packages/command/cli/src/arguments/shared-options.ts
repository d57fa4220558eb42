import { isReducer } from '@art/eval/statistics';
import { Option } from '@commander-js/extra-typings';
import { journalArgument } from './journal-argument.ts';
import { rolloutFieldArgument } from './key-value-argument.ts';
import { filledArgument, textArgument, urlArgument } from './text-argument.ts';

/** Where the journal is; the same for every command about runs. */
export function journalOption() {
  return new Option(
    '--journal <place>',
    'folder, s3://bucket/prefix, or file:///root#bucket (default: the nearest .art/runs, here or above)',
  ).argParser(journalArgument);
}

/** Where runs are kept under names. */
export function baselinesOption() {
  return new Option(
    '--baselines <place>',
    'where runs are kept under names: folder, s3://bucket/prefix, or file:///root#bucket (default: .art/baselines)',
  ).argParser(journalArgument);
}

/** Where AgentCore and S3 are, for a run or for a journal in a bucket. */
export function endpointOption() {
  return new Option(
    '--endpoint <url>',
    'where AgentCore and S3 are (default: that "art dev", or AWS)',
  ).argParser(urlArgument);
}

/** Which endpoint of a runtime on AgentCore is called. */
export function qualifierOption() {
  return new Option('--qualifier <name>', 'endpoint of the runtime (default: DEFAULT)').argParser(
    filledArgument,
  );
}

/** Fields of `_rollout` without an option of their own. */
export function setOption() {
  return new Option('--set <field=value>', 'further field of _rollout, JSON or text; repeatable').argParser(
    rolloutFieldArgument,
  );
}

/** Which platform version an AgentCore on this machine plays. */
export function platformVersionOption() {
  return new Option(
    '--platform-version <version>',
    'V2 plays that each session is restored from one snapshot of the process (default: V1)',
  ).choices(['V1', 'V2'] as const);
}

/** Option to send spans; `runCli` acts on it. */
export function otelOption() {
  return new Option(
    '--otel',
    'send traces over OTLP, as the OTEL_* variables say; needs @opentelemetry/sdk-node',
  ).default(false);
}

/** How the samples of a task make its score. */
export function reduceOption() {
  return new Option(
    '--reduce <how>',
    'score of a task, of its samples: mean, median, mode, or at-least:2, which is 1 where at least two pass (default: mean)',
  ).argParser(textArgument(isReducer, '"mean", "median", "mode" or "at-least:2"'));
}

/** Where judgements and answers are kept. @param what else is kept beside the judgements */
export function cacheOption(what = '') {
  return new Option(
    '--cache <dir>',
    `keep judgements of --reward${what} in this folder, and take those that are there`,
  ).argParser(filledArgument);
}

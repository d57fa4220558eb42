import { join, resolve } from 'node:path';
import { CleanupStack, ArtError, refuseOption } from '@art/ground';
import type { EvaluatedAgent, EvaluateOptions } from '@art/eval';
import type { PriceTable } from '@art/protocol';
import { newRunId } from '@art/journal';
import { readOptionJson } from '../arguments/read-option-file.ts';
import type { CliContext } from '../cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Interrupts } from '../terminal/interrupts.ts';
import { ProgressLine } from '../terminal/progress-line.ts';
import type { AgentOptions } from './agent-options.ts';
import { loadReward } from './load-reward.ts';
import { openAgent } from './open-agent.ts';
import { shownPath } from './shown-path.ts';

/** Commands that evaluate an agent, and where their runs are below `.art`. */
const folders = { eval: 'evals', improve: 'improve', matrix: 'matrices' };

/** Parts that such a command works with. */
export interface AgentRun {
  /** Its folder as a person would write it. */
  shown: string;
  agent: EvaluatedAgent;
  /** Let go of when the command ends. */
  parts: CleanupStack;
  progress: ProgressLine;
  note: (message: string) => void;
  onSample: NonNullable<EvaluateOptions['onSample']>;
  /** Options of every evaluation, as the command line has them. */
  evaluating: Pick<
    EvaluateOptions,
    | 'agent'
    | 'reward'
    | 'concurrency'
    | 'timeoutMs'
    | 'passReward'
    | 'failureReward'
    | 'prices'
    | 'ceiling'
    | 'sampleCeiling'
    | 'signal'
    | 'onNotice'
  >;
}

/** The folder of a run: the one that continues, the one that was named, or a new one. */
export function runFolder(
  command: keyof typeof folders,
  { resume, out }: Pick<AgentOptions, 'resume' | 'out'>,
  cwd: string,
): string {
  return resolve(cwd, resume ?? out ?? join('.art', folders[command], newRunId()));
}

/**
 * Opens what a run needs, does its work, and says how it continues where it was interrupted.
 * @param folder of the run, absolute
 * @returns the exit code
 * @throws ArtError for what cannot be opened; what the work throws
 */
export async function runWithAgent(
  {
    command,
    options,
    folder,
    shared,
  }: {
    command: keyof typeof folders;
    options: AgentOptions;
    folder: string;
    /** Gateway of another agent, which counts for both. */
    shared?: EvaluatedAgent['capture'];
  },
  context: CliContext,
  interrupts: Interrupts,
  work: (run: AgentRun) => Promise<number>,
): Promise<number> {
  const { cwd, stderr } = context;
  const { signal } = interrupts;
  const { concurrency, timeoutMs, passReward, failureReward, prices, ceiling, sampleCeiling } = options;
  const progress = new ProgressLine(stderr);
  const note = (message: string): void => progress.note(message);
  await using parts = new CleanupStack();
  const { reward, judgeTimeoutMs, cache } = options;
  const keepsAnswers = options.agentRuntimeArn === undefined && options.gateway !== false;
  if (cache !== undefined && reward === undefined && !keepsAnswers)
    refuseOption(
      '--cache',
      'a judge (--reward), or an agent on this machine behind the gateway, of which it keeps something',
      cache,
    );
  const evaluating = {
    reward:
      reward === undefined ? undefined : parts.use(await loadReward(reward, cwd, judgeTimeoutMs, cache)),
    concurrency,
    timeoutMs,
    passReward,
    failureReward: failureReward === 'none' ? null : failureReward,
    prices: prices === undefined ? undefined : (readOptionJson('--prices', prices, cwd) as PriceTable),
    ceiling,
    sampleCeiling,
    signal,
    onNotice: note,
  };
  const told = command === 'improve' ? oncePerKind(note) : note;
  const agent = await openAgent(options, context, parts, told, shared);
  const onSample: AgentRun['onSample'] = ({ id, outcome, error, judgeError, sessionId }) => {
    if (error !== null) progress.noteFirst(outcome, error, id, sessionId);
    else if (judgeError !== null) progress.noteFirst('unjudged sample', judgeError, id, sessionId);
  };
  const shown = shownPath(cwd, folder);
  try {
    return await work({
      shown,
      agent,
      parts,
      progress,
      note,
      onSample,
      evaluating: { ...evaluating, agent },
    });
  } catch (error) {
    progress.clear();
    if (ArtError.isInstance(error) && error.code === 'ART_RUN_CEILING_REACHED') {
      stderr.write(`${error.message} "art ${command} --resume ${shown} --ceiling ..." continues.\n`);
      return exitCodes.infrastructure;
    }
    const isStopped = ArtError.isInstance(error) && error.code === 'ART_RUN_STOPPED';
    if (!isStopped && !signal.aborted) throw error;
    stderr.write(`Interrupted. The sessions were stopped; "art ${command} --resume ${shown}" continues.\n`);
    return interrupts.exitCode ?? exitCodes.interrupted;
  }
}

/** Every evaluation of a search is its own batch, and warns of the same things. */
function oncePerKind(note: (message: string) => void): (message: string) => void {
  const warned = new Set<string>();
  return (message) => {
    const kind = message.replaceAll(/[\da-f-]{8,}|\d+/g, '');
    if (!warned.has(kind)) note(message);
    warned.add(kind);
  };
}

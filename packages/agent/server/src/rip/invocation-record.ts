import { ArtError, describeValue, type JsonTextMap, stringifyJson } from '@art/ground';
import { type InvocationNotes, type InvocationState, invocationStateWire } from '@art/protocol';
import { describeError, failureStops, unreachableIn } from '../document/rollout-document.ts';
import type { ReturnedEnding, RolloutEnding } from '../document/rollout-ending.ts';
import {
  deliveredResult,
  isOpaque,
  nonFiniteProblem,
  rolloutOutput,
  warnOfProblems,
} from '../document/rollout-result.ts';
import { documentPlace, type RolloutJob } from '../rollout/rollout-run.ts';
import type { InvocationName } from './invocation-records.ts';

/** The parts of a job that its record contains. */
export type RecordedJob = Pick<RolloutJob, 'context' | 'destination' | 'secrets'>;

/** A state as the text of a reply or record, with the place of the document where there will be one. */
export function stateText(
  { invocationId }: InvocationName,
  state: InvocationState,
  job?: RecordedJob,
  options: Parameters<typeof stringifyJson>[1] = {},
): string {
  return stringifyJson(
    { ...invocationStateWire(invocationId, state), ...(job && documentPlace(job)) },
    options,
  );
}

/** The notes beside a state, without the secrets of its job. */
export function scrubbedNotes(notes: InvocationNotes, job: RecordedJob): InvocationNotes {
  const texts = Object.entries(notes).map(([name, text]: [string, string | undefined]) => [
    name,
    text && scrubbed(text, job),
  ]);
  return Object.fromEntries(texts) as InvocationNotes;
}

/**
 * The record of what an invocation came to. Undefined where it was cut short by the end of its process: that is no word of
 * the agent's, and RIP has a state for it, `interrupted`, which needs no record.
 * @param unsaved why its document could not be stored
 */
export function invocationRecord(
  ending: RolloutEnding,
  name: InvocationName,
  job: RecordedJob,
  unsaved?: string,
): string | undefined {
  const notes = scrubbedNotes({ unreachable: unreachableIn(ending), unsaved }, job);
  if (ending.kind !== 'returned') {
    if (isTermination(ending.error)) return undefined;
    const stop = failureStops[ending.kind];
    const failure = stop && { statusCode: stop.status_code, stopReason: stop.stop_reason };
    // Its words name the endpoint; the error of a model client is often no more than "Connection error.".
    const told = ending.kind === 'infrastructure' ? ending.failure.message : undefined;
    const error = scrubbed(told ?? describeError(ending.error).stop_reason, job);
    return stateText(name, { status: 'completed', error, failure, ...notes }, job);
  }
  try {
    return job.context.rollout === undefined
      ? stateText(name, { status: 'completed', result: plainResult(ending.value) }, job, {
          mapText: scrubbing(job),
        })
      : rolloutRecord(ending, notes, name, job);
  } catch (error) {
    // Where there is a document, its error is in the log already.
    if (job.destination === undefined)
      job.context.log.error({ err: error }, 'The handler returned something that cannot be recorded');
    return stateText(
      name,
      { status: 'completed', error: scrubbed(describeError(error).stop_reason, job), unsaved: notes.unsaved },
      job,
    );
  }
}

function isTermination(error: unknown): boolean {
  return ArtError.isInstance(error) && error.code === 'ART_SESSION_TERMINATED';
}

function rolloutRecord(
  ending: ReturnedEnding,
  notes: InvocationNotes,
  name: InvocationName,
  job: RecordedJob,
): string {
  const output = rolloutOutput(ending.value);
  const { problems } = output;
  const result = deliveredResult(output, 'reward', ending.prompts);
  const text = stateText(name, { status: 'completed', result, ...notes }, job, {
    mapText: scrubbing(job),
    onNonFinite: (number, path) => problems.push(nonFiniteProblem(number, path)),
  });
  // Where there is a document, they are in the log already.
  if (job.destination === undefined) warnOfProblems(job.context.log, problems);
  return text;
}

// As a plain request is answered: `null` where a function returns nothing.
function plainResult(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value ?? null;
  const isWritable = !isOpaque(value) || typeof (value as { toJSON?: unknown }).toJSON === 'function';
  if (isWritable) return value;
  throw new ArtError({
    code: 'ART_INVALID_RESULT',
    message: `Expected the handler of an invocation to return a JSON value, got ${describeValue(value)}.`,
  });
}

function scrubbed(text: string, { secrets: { scrubber } }: RecordedJob): string {
  return scrubber === undefined ? text : scrubber.scrubText(text);
}

// What readers look for keeps its name, whatever the secrets are.
const readNames = new Set<unknown>(['reward', 'rewards', 'metrics']);

function scrubbing({ secrets: { scrubber } }: RecordedJob): JsonTextMap | undefined {
  if (scrubber === undefined) return undefined;
  return (text, { kind, path }) => {
    const isOurs = path[0] !== 'result' || (kind === 'name' && path.length === 1);
    const isRead = kind === 'name' && path.length === 2 && readNames.has(path[1]);
    return isOurs || isRead ? text : scrubber.scrubText(text);
  };
}

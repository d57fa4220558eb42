import { isJsonObject, type ErrorCode } from '@art/ground';
import { rolloutOutcomeKinds } from '@art/protocol';
import type { JournalHolder } from '../holder/journal-holder.ts';

type Check<T> = (value: unknown) => value is T;

const text: Check<string> = (value) => typeof value === 'string';
const count: Check<number> = (value): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;
const number: Check<number> = (value) => typeof value === 'number';
const flag: Check<boolean> = (value) => typeof value === 'boolean';
const object: Check<Record<string, unknown>> = isJsonObject;
const texts: Check<string[]> = (value): value is string[] => Array.isArray(value) && value.every(text);
const formatVersion: Check<typeof journalVersion> = (value) => value === journalVersion;
const errorCode: Check<ErrorCode> = (value): value is ErrorCode => text(value) && /^ART_[A-Z_]+$/.test(value);
const holder: Check<JournalHolder> = (value): value is JournalHolder =>
  isJsonObject(value) &&
  [value['host'], value['machine'], value['startedAt'], value['claimId']].every(text) &&
  [value['pid'], value['sinceMs']].every(count);
const oneOf =
  <const Name extends string>(names: readonly Name[]): Check<Name> =>
  (value): value is Name =>
    (names as readonly unknown[]).includes(value);
const optional =
  <T>(check: Check<T>): Check<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || check(value);

/** The version of the format. A reader refuses every other one. */
export const journalVersion = 2;

/** The fields of every type of record, by their names in this code; on disk they are in snake case. */
export const recordFields = {
  /** The first record of a run. It has no payloads and no secrets: ids, names and limits only. */
  run: {
    version: formatVersion,
    runId: text,
    /** Unit of a run's results: rollouts, or groups of them. */
    kind: oneOf(['batch', 'groups']),
    /** Undefined where results come from sessions, as `bucket`. */
    expId: optional(text),
    bucket: optional(text),
    /** With which generated input ids begin. */
    inputIdPrefix: text,
    createdAtMs: count,
    /** How many items there are; undefined where the source did not say. */
    itemCount: optional(count),
    /** Runtime that stops the sessions of the run; undefined where the runtime was given ready-made. */
    agentRuntimeArn: optional(text),
    /** Limits and policies that the run was started with, under the names of the API. */
    options: object,
    /** Names of options that are functions: they cannot be kept, and must be given again. */
    callbacks: texts,
  },
  /** The source has ended, after so many items. */
  source_ended: { count },
  /** Writer of the following records. */
  owner: {
    holder,
    /** The segment by which it claimed the run. */
    claim: optional(count),
  },
  /** Written before a rollout is sent. */
  intended: {
    /** Its number in the journal, by which later records name it. */
    rollout: count,
    /** Id of its item. */
    item: text,
    /** Position of its item in the source, as it was then. */
    index: count,
    /** Its member in the group; undefined in a batch. */
    member: optional(count),
    /** Its number among the attempts of its member, from 0. */
    attempt: count,
    inputId: text,
    sessionId: text,
    invocationId: text,
    /** Undefined where the result comes from the session, as `resultKey`. */
    bucket: optional(text),
    resultKey: optional(text),
    payloadDigest: text,
    atMs: count,
  },
  /** The agent has answered. */
  accepted: {
    rollout: count,
    atMs: count,
    /** True if the agent runs no attempt twice and can be asked for it. @default false */
    speaksRip: optional(flag),
  },
  /**
   * The outcome of the rollout. The document stays in the store, and messages are left out: they may quote a secret.
   */
  settled: {
    rollout: count,
    atMs: count,
    outcome: oneOf(rolloutOutcomeKinds),
    reward: optional(number),
    errorCode: optional(errorCode),
    /** There is no session that would have to be stopped. */
    sessionless: optional(flag),
  },
  stopped: { rollout: count, atMs: count, result: oneOf(['stopped', 'not_found', 'failed']) },
  /** The consumer is done with an item: it is never yielded again. */
  acknowledged: {
    item: text,
    atMs: count,
  },
  /** Everything was yielded and acknowledged. */
  finished: { atMs: count },
  /** In a store: the writer has let go of the run. */
  released: { atMs: count },
};

type AllFields = typeof recordFields;
type ValueOf<Field> = Field extends Check<infer T> ? T : never;
type RecordOf<Type extends keyof AllFields, Fields = AllFields[Type]> = { type: Type } & {
  [Name in keyof Fields as undefined extends ValueOf<Fields[Name]> ? never : Name]: ValueOf<Fields[Name]>;
} & {
  [Name in keyof Fields as undefined extends ValueOf<Fields[Name]> ? Name : never]?: ValueOf<Fields[Name]>;
};

/** A line of a journal. */
export type JournalRecord = { [Type in keyof AllFields]: RecordOf<Type> }[keyof AllFields];
/** The first record of a run. It has no payloads and no secrets: ids, names and limits only. */
export type RunHeader = RecordOf<'run'>;
/** Unit of a run's results: rollouts, or groups of them. */
export type RunKind = RunHeader['kind'];
export type IntendedRecord = RecordOf<'intended'>;
export type StoppedRecord = RecordOf<'stopped'>;

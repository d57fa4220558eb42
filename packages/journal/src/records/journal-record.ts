import type { ErrorCode, RolloutOutcomeKind } from '@art/protocol';
import type { JournalHolder } from '../holder/journal-holder.ts';

/** What a run yields: rollouts, or groups of them. */
export type RunKind = 'batch' | 'groups';

/** The first record of a run. It has no payloads and no secrets: ids, names and limits only. */
export interface RunHeader {
  type: 'run';
  /** Of the format; a reader refuses a newer one. */
  version: 1;
  runId: string;
  kind: RunKind;
  /** Undefined where results come from sessions, as `bucket`. */
  expId?: string | undefined;
  bucket?: string | undefined;
  /** With which generated input ids begin. */
  inputIdPrefix: string;
  createdAtMs: number;
  /** How many payloads, or inputs, there are; undefined where the source did not say. */
  payloadCount?: number | undefined;
  /** What stops the sessions of the run; undefined where the runtime was given ready-made. */
  agentRuntimeArn?: string | undefined;
  /** Limits and policies that the run was started with, under the names of the API. */
  options: Record<string, unknown>;
  /** Names of options that are functions: they cannot be kept, and must be given again. */
  callbacks: string[];
}

/** Digests of payloads whose number was known when the run started, in a row. */
export interface PayloadsRecord {
  type: 'payloads';
  /** Index of the first. */
  from: number;
  /** See `payloadDigest`; all have the same length. */
  digests: string;
}

/** The source has ended. */
export interface SourceEndedRecord {
  type: 'source_ended';
  count: number;
}

/** Who writes what follows. */
export interface OwnerRecord {
  type: 'owner';
  holder: JournalHolder;
  /** The segment by which it claimed the run. */
  claim?: number | undefined;
}

/** Written before a rollout is sent. */
export interface IntendedRecord {
  type: 'intended';
  /** Its number in the journal, by which later records name it. */
  rollout: number;
  /** Position of its payload, or of the input of its group. */
  index: number;
  /** Its member in the group; undefined in a batch. */
  member?: number | undefined;
  /** Its number among the attempts at this payload, or of this member. */
  attempt: number;
  inputId: string;
  sessionId: string;
  attemptId: string;
  /** Undefined where the result comes from the session, as `resultKey`. */
  bucket?: string | undefined;
  resultKey?: string | undefined;
  payloadDigest: string;
  atMs: number;
}

/** The agent has answered. */
export interface AcceptedRecord {
  type: 'accepted';
  rollout: number;
  atMs: number;
  /** Whether the agent runs no attempt twice and can be asked for it. @default false */
  speaksRip?: boolean | undefined;
}

/** What became of the rollout. The document stays in the store, and messages are left out: they may quote a secret. */
export interface SettledRecord {
  type: 'settled';
  rollout: number;
  atMs: number;
  outcome: RolloutOutcomeKind;
  reward?: number | undefined;
  errorCode?: ErrorCode | undefined;
  /** There is no session that would have to be stopped. */
  sessionless?: boolean | undefined;
}

export interface StoppedRecord {
  type: 'stopped';
  rollout: number;
  atMs: number;
  result: 'stopped' | 'not_found' | 'failed';
}

/** The consumer is done with an item: it is never yielded again. */
export interface AcknowledgedRecord {
  type: 'acknowledged';
  index: number;
  atMs: number;
}

/** Everything was yielded and acknowledged. */
export interface FinishedRecord {
  type: 'finished';
  atMs: number;
}

/** In a store: the writer has let go of the run. */
export interface ReleasedRecord {
  type: 'released';
  atMs: number;
}

export type JournalRecord =
  | RunHeader
  | PayloadsRecord
  | SourceEndedRecord
  | OwnerRecord
  | IntendedRecord
  | AcceptedRecord
  | SettledRecord
  | StoppedRecord
  | AcknowledgedRecord
  | FinishedRecord
  | ReleasedRecord;

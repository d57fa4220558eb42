/** The port that `art dev` takes where none is asked for: a shell's AWS_ENDPOINT_URL then survives a restart of it. */
export const defaultDevPort = 8_787;

/** Which changes start the agent afresh: none, those of sources below the current folder, or of what is named. */
export type WatchChoice = { kind: 'off' } | { kind: 'sources' } | { kind: 'paths'; paths: readonly string[] };

import type { SageMakerOptions } from '../sagemaker/sagemaker-options.ts';

/** `art dev` as its user wants it; every value has been checked. */
export interface DevOptions {
  /** A file, a command line, or a program and its arguments. */
  agent: readonly string[];
  /** 0 takes a free one. @default `defaultDevPort`, or a free one when that is taken */
  port?: number | undefined;
  bucket: string;
  /** Whether every other bucket that is named is there, too. */
  autoBuckets: boolean;
  /** Name of the agent in its ARN. */
  name: string;
  region: string;
  /** Folder for objects. @default memory */
  data?: string | undefined;
  /** Folder for the sessions' logs. @default a temporary one, removed at the end */
  logDir?: string | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  envFile?: string | undefined;
  /** Processes that are kept ready. */
  warm: number;
  idleTimeoutMs: number;
  initTimeoutMs: number;
  stopGraceMs: number;
  newSessionsPerSecond?: number | undefined;
  maxSessions?: number | undefined;
  /** File with a fault plan. */
  faults?: string | undefined;
  /** Whether InvokeAgentRuntimeCommand is served. */
  allowCommands: boolean;
  watch: WatchChoice;
  /** Play SageMaker's trainer, then end. @default serve until told to end */
  job?: SageMakerOptions | undefined;
  /** One JSON event a line instead of text for people. */
  json: boolean;
}

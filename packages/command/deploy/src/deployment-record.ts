import { createHash } from 'node:crypto';
import { isJsonObject, jsonObjectIn } from '@art/ground';

/** Options that stay until others are given: without `--bucket` a second time no right of the first is lost. */
const kept = ['bucket', 'keyPrefix', 'resultsMount', 'account', 'region', 'agentRuntimeArn'] as const;
export type KeptOptions = Partial<Record<(typeof kept)[number], string | undefined>>;

/** Record of what was written here last. A file that differs was changed by somebody since. */
export interface DeploymentRecord {
  options: KeptOptions;
  /** SHA-256 of the text of each file, by its path. */
  files: Record<string, string>;
  /** Entries in `agentcore.json`, by their names. */
  runtimes: Record<string, object>;
}

const emptyRecord: DeploymentRecord = { options: {}, files: {}, runtimes: {} };

/** Without a difference between the ends of lines of Windows and others, which git may change. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
}

export function keptOptions(options: KeptOptions): KeptOptions {
  return Object.fromEntries(
    kept.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  );
}

export function writeDeploymentRecord(record: DeploymentRecord): string {
  const about = 'Written by "art deploy", to tell what somebody has changed since. Commit it with the rest.';
  return `${JSON.stringify({ about, ...record }, undefined, 2)}\n`;
}

/** A record that cannot be read tells nothing: every file then counts as changed, and stays. */
export function readRecord(text: string | undefined): DeploymentRecord {
  const value = jsonObjectIn(text ?? '');
  if (value === undefined) return emptyRecord;
  const part = (name: string): object => (isJsonObject(value[name]) ? value[name] : {});
  return {
    options: keptOptions(part('options')),
    files: part('files') as DeploymentRecord['files'],
    runtimes: part('runtimes') as DeploymentRecord['runtimes'],
  };
}

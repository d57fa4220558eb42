import { join } from 'node:path';
import { makeDirectory, plainJson } from '@art/ground';
import { replaceFile } from '@art/store';
import type { JudgeMeasure } from '../judges/judge-measure.ts';
import { readRecordFile } from '../records/read-json-file.ts';
import type { RewardAudit } from './audit-reward.ts';

/** `audit.json`: an audit as it is kept and shown. */
export interface AuditRecord {
  schema: 'art.audit.v1';
  createdAtMs: number;
  /** Names of what was audited. */
  tasks: string;
  reward: string;
  audit: RewardAudit;
  /** Null without a search. */
  search: HoleSearch | null;
  /** The reward beside labels of a person; null without any. */
  judge: Omit<JudgeMeasure, 'drift'> | null;
}

/** Findings of a model that looked for answers which a reward pays and a second checker does not. */
export interface HoleSearch {
  /** Name of the second checker. */
  checker: string;
  /** Name of the model. */
  model: string;
  rounds: number;
  answers: number;
  /** Answers of which the checker could not say that they are wrong. */
  undecided: number;
  found: SearchedHole[];
  /** Spending on the model. */
  spent: { calls: number; tokens: number; usd: number };
  /** Why the search has ended before all of its rounds; null where it has not. */
  end: string | null;
  /** True where the model failed it: what was not found says nothing. */
  hasFailed: boolean;
}

/** An answer that a reward pays, and a second checker does not. */
export interface SearchedHole {
  taskId: string;
  answer: unknown;
  reward: number;
  /** The second checker's reward. */
  checked: number;
  /** Its words, where it has any. */
  remark: string | null;
  round: number;
}

const fileName = 'audit.json';

/** Writes an audit into a folder, which is made if need be. */
export async function writeAudit(folder: string, record: AuditRecord): Promise<void> {
  await makeDirectory(folder, 0o700);
  await replaceFile(join(folder, fileName), `${plainJson(record, 2)}\n`, { isDurable: true });
}

/** Undefined where a folder has no audit. @throws ArtError `ART_INVALID_OPTION`, `ART_RECORD_TOO_NEW` */
export function readAudit(folder: string): Promise<AuditRecord | undefined> {
  return readRecordFile(join(folder, fileName), 'art.audit.v1');
}

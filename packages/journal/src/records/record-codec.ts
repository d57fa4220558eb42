import {
  ArtError,
  describeValue,
  isJsonObject,
  parseJson,
  rolloutOutcomeKinds,
  stringifyJson,
} from '@art/protocol';
import type { JournalRecord } from './journal-record.ts';

type RecordType = JournalRecord['type'];
type Check = (value: unknown) => boolean;

const formatVersion = 1;

const text: Check = (value) => typeof value === 'string';
const count: Check = (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const number: Check = (value) => typeof value === 'number';
const flag: Check = (value) => typeof value === 'boolean';
const oneOf =
  (names: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && names.includes(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const stop = oneOf(['stopped', 'not_found', 'failed']);
const holder: Check = (value) =>
  isJsonObject(value) &&
  [value['host'], value['machine'], value['started_at'], value['claim_id']].every(text) &&
  [value['pid'], value['since_ms']].every(count);

// By their names in this code; on disk they are in snake case.
const fields: {
  [Type in RecordType]: Record<Exclude<keyof Extract<JournalRecord, { type: Type }>, 'type'>, Check>;
} = {
  run: {
    version: count,
    runId: text,
    kind: oneOf(['batch', 'groups']),
    expId: optional(text),
    bucket: optional(text),
    inputIdPrefix: text,
    createdAtMs: count,
    payloadCount: optional(count),
    agentRuntimeArn: optional(text),
    options: isJsonObject,
    callbacks: (value) => Array.isArray(value) && value.every(text),
  },
  payloads: { from: count, digests: text },
  source_ended: { count },
  owner: { holder, claim: optional(count) },
  intended: {
    rollout: count,
    index: count,
    member: optional(count),
    attempt: count,
    inputId: text,
    sessionId: text,
    attemptId: text,
    bucket: optional(text),
    resultKey: optional(text),
    payloadDigest: text,
    atMs: count,
  },
  accepted: { rollout: count, atMs: count, speaksRip: optional(flag) },
  settled: {
    rollout: count,
    atMs: count,
    outcome: oneOf(rolloutOutcomeKinds),
    reward: optional(number),
    errorCode: optional((value) => text(value) && /^ART_[A-Z_]+$/.test(value as string)),
    sessionless: optional(flag),
  },
  stopped: { rollout: count, atMs: count, result: stop },
  acknowledged: { index: count, atMs: count },
  finished: { atMs: count },
  released: { atMs: count },
};

const wireNames = new Map<string, string>();
for (const names of Object.values(fields))
  for (const name of Object.keys(names)) wireNames.set(name, snakeCase(name));

/** One line, without its end. */
export function encodeRecord(record: JournalRecord): string {
  const wire: Record<string, unknown> = { type: record.type };
  for (const [name, value] of Object.entries(record)) {
    if (name === 'type' || value === undefined) continue;
    // An owner is the only record with something nested whose names are this code's.
    wire[wireNames.get(name)!] = name === 'holder' ? holderToWire(value as object) : (value as unknown);
  }
  return stringifyJson(wire);
}

/**
 * Reads one line. Undefined for a type that only a later version knows.
 * @throws ArtError `ART_JOURNAL_CORRUPT`
 */
export function decodeRecord(line: string, lineNumber: number): JournalRecord | undefined {
  let wire: unknown;
  try {
    wire = parseJson(line);
  } catch (cause) {
    throw corrupt(lineNumber, `it is not JSON: ${(cause as Error).message}`, cause);
  }
  if (!isJsonObject(wire) || typeof wire['type'] !== 'string') throw corrupt(lineNumber, 'it has no type');
  const { type } = wire;
  if (type === 'run' && wire['version'] !== formatVersion)
    throw corrupt(
      lineNumber,
      `it is of version ${describeValue(wire['version'])}, this program reads ${formatVersion}`,
    );
  if (!Object.hasOwn(fields, type)) return undefined;
  const record: Record<string, unknown> = { type };
  for (const [name, check] of Object.entries(fields[type as RecordType])) {
    const value = wire[wireNames.get(name)!];
    if (!check(value))
      throw corrupt(lineNumber, `${wireNames.get(name)} of "${type}" is ${describeValue(value)}`);
    if (value !== undefined) record[name] = name === 'holder' ? holderFromWire(value as object) : value;
  }
  return record as unknown as JournalRecord;
}

function holderToWire(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [snakeCase(name), field as unknown]),
  );
}

function holderFromWire(value: object): Record<string, unknown> {
  const wire = value as Record<string, unknown>;
  return {
    host: wire['host'],
    machine: wire['machine'],
    pid: wire['pid'],
    startedAt: wire['started_at'],
    sinceMs: wire['since_ms'],
    claimId: wire['claim_id'],
  };
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function corrupt(lineNumber: number, problem: string, cause?: unknown): ArtError {
  return new ArtError({
    code: 'ART_JOURNAL_CORRUPT',
    message: `Line ${lineNumber} of the journal cannot be read: ${problem}. Restore it from a copy, or start a new run.`,
    cause,
  });
}

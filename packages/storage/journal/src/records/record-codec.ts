import { ArtError, describeValue, isJsonObject, parseJson, stringifyJson } from '@art/ground';
import { journalVersion, recordFields, type JournalRecord } from './journal-record.ts';

const names = Object.values(recordFields).flatMap((fields) => Object.keys(fields));
const wireNames = new Map(names.map((name) => [name, snakeCase(name)]));

/** One line, without its end. */
export function encodeRecord(record: JournalRecord): string {
  const wire: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record) as [string, unknown][]) {
    if (value === undefined) continue;
    // An owner is the only record with something nested whose names are this code's.
    wire[wireNames.get(name) ?? name] = name === 'holder' ? renamed(value as object, snakeCase) : value;
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
  if (type === 'run' && wire['version'] !== journalVersion)
    throw corrupt(
      lineNumber,
      `it is of version ${describeValue(wire['version'])}, this program reads ${journalVersion}`,
    );
  if (!Object.hasOwn(recordFields, type)) return undefined;
  const record: Record<string, unknown> = { type };
  for (const [name, check] of Object.entries(recordFields[type as JournalRecord['type']])) {
    const wireName = wireNames.get(name)!;
    const onWire = wire[wireName];
    const value = name === 'holder' && isJsonObject(onWire) ? renamed(onWire, camelCase) : onWire;
    if (!check(value)) throw corrupt(lineNumber, `${wireName} of "${type}" is ${describeValue(onWire)}`);
    if (value !== undefined) record[name] = value;
  }
  return record as unknown as JournalRecord;
}

function renamed(value: object, rename: (name: string) => string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [rename(name), field as unknown]));
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function corrupt(lineNumber: number, problem: string, cause?: unknown): ArtError {
  return new ArtError({
    code: 'ART_JOURNAL_CORRUPT',
    message: `Line ${lineNumber} of the journal cannot be read: ${problem}. Restore it from a copy, or start a new run.`,
    cause,
  });
}

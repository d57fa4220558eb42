import { jsonObjectIn, plainJson } from '@art/ground';
import type { Paint, PaintStyle } from './paint.ts';

/** Fields that the reader of one session's log knows anyway. */
const knownFields = new Set([
  'level',
  'timestamp',
  'logger',
  'message',
  'sessionId',
  'requestId',
  'stackTrace',
]);

const levelStyles: Readonly<Record<string, PaintStyle>> = {
  ERROR: 'red',
  FATAL: 'red',
  WARN: 'yellow',
  WARNING: 'yellow',
};

/**
 * A line of a log for people. Structured lines, with the fields that AgentCore's SDKs and `@art/server` write, become
 * level, message and what else is in them, with a stack trace below; every other line stays as it is.
 */
export function formatLogLine(line: string, paint: Paint): string[] {
  const entry = structuredEntry(line);
  if (entry === undefined) return [line];
  const level = entry.level.toUpperCase();
  const details = Object.entries(entry.fields)
    .filter(([name]) => !knownFields.has(name))
    .map(([name, value]) => paint('dim', `${name}=${typeof value === 'string' ? value : plainJson(value)}`));
  const trace = entry.fields['stackTrace'];
  const traceLines = Array.isArray(trace)
    ? trace.map(String)
    : typeof trace === 'string'
      ? trace.split('\n')
      : [];
  return [
    [paint(levelStyles[level] ?? 'dim', level), entry.message, ...details].join(' '),
    ...traceLines.map((traceLine) => paint('dim', traceLine)),
  ];
}

function structuredEntry(
  line: string,
): { level: string; message: string; fields: Record<string, unknown> } | undefined {
  const fields = line.startsWith('{') ? jsonObjectIn(line) : undefined;
  const { level, message } = fields ?? {};
  return fields && typeof level === 'string' && typeof message === 'string'
    ? { level, message, fields }
    : undefined;
}

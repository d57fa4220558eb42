import { custom, type OptionRule, parseJson, stringifyJson } from '@art/ground';
import { toCaptureRecord } from '@art/trajectories';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayServices } from '../../calls/call/gateway-services.ts';
import { sessionRows } from '../../sessions/finish-session.ts';
import { type Fields, readFields } from '../request-fields.ts';

/** Kind of a session's records: training rows, or the captures that they are made of. */
type RecordFormat = 'rows' | 'captures';

const aRecordFormat = custom<RecordFormat>(
  '"rows" or "captures"; `@art/trajectories` and `art collect` write the shapes of trainers',
  (value) => value === 'rows' || value === 'captures',
);

const format: OptionRule<RecordFormat> = (given = 'rows', field) => aRecordFormat(given, field);

/** Reads `format`, without which records are rows. @throws InvalidField */
export function readRecordFormat(fields: Fields): RecordFormat {
  return readFields(fields, { format }).format;
}

/** A session's first `count` captures as records. */
export async function captureRecords(
  { store }: Pick<GatewayServices, 'store'>,
  sessionId: string,
  count?: number,
): Promise<readonly unknown[]> {
  const captures = await store.capturesOf(sessionId);
  return captures.slice(0, count).map((capture) => parseJson(toCaptureRecord(capture)));
}

const exportSuffix = '/export.jsonl';

/** The session of an export. @param rest what follows `/sessions/`. Undefined where it is no export. */
export function exportedSession(rest: string): string | undefined {
  const isExport = rest.endsWith(exportSuffix) && rest.length > exportSuffix.length;
  return isExport ? rest.slice(0, -exportSuffix.length) : undefined;
}

/**
 * Answers with a session's rows, or its captures, as a file: those of the finished session, or what the rows would be now.
 * @throws InvalidField; ArtError `ART_GATEWAY_SESSION_UNKNOWN`, `ART_GATEWAY_SESSION_GONE`
 */
export async function sendExport(
  services: GatewayServices,
  sessionId: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<undefined> {
  const format = readRecordFormat(request.query as Fields);
  const { rows } = await sessionRows(services, sessionId);
  const records = format === 'rows' ? rows : await captureRecords(services, sessionId);
  const lines = records.map((record) => `${stringifyJson(record)}\n`).join('');
  void reply.header('content-disposition', 'attachment; filename="export.jsonl"');
  void reply.type('application/jsonl; charset=utf-8').send(lines);
  return undefined;
}

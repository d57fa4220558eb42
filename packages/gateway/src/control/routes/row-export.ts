import { stringifyJson } from '@art/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { trainingRowsToParquet } from '@art/trajectories/parquet';
import { InvalidField } from '../request-object.ts';
import { sessionRows } from '../../sessions/finish-session.ts';
import type { CallContext } from '../../calls/call/call-context.ts';
import { inTrainerFormat, readTrainerFormat } from './trainer-format.ts';

/** A path of an export, taken apart. */
export interface ExportTarget {
  sessionId: string;
  kind: 'jsonl' | 'parquet';
}

const exportPath = /^(.+)\/export\.(jsonl|parquet)$/s;

/** @param rest what follows `/sessions/` or `/trajectories/`. Undefined where it is no export. */
export function exportTarget(rest: string): ExportTarget | undefined {
  const match = exportPath.exec(rest);
  return match === null ? undefined : { sessionId: match[1]!, kind: match[2] as ExportTarget['kind'] };
}

/**
 * Answers with a session's rows as a file: those of the finished trajectory, or what they would be now. `?format=` names a
 * trainer's shape, or `traces`, for JSON Lines; Parquet has rows only.
 * @throws InvalidField; ArtError `ART_GATEWAY_SESSION_UNKNOWN`, `ART_GATEWAY_SESSION_GONE`
 */
export async function sendExport(
  context: CallContext,
  { sessionId, kind }: ExportTarget,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<undefined> {
  const { format: asked, env_name: envName = 'art' } = request.query as Record<string, unknown>;
  const format = readTrainerFormat(asked);
  if (typeof envName !== 'string') throw new InvalidField('env_name', 'one text', envName);
  if (kind === 'parquet' && format !== 'records' && format !== 'rows')
    throw new InvalidField('format', '"rows", as Parquet has a column for each member of a row', asked);
  const { rows } = await sessionRows(context, sessionId);
  void reply.header('content-disposition', `attachment; filename="export.${kind}"`);
  if (kind === 'parquet') {
    void reply.type('application/vnd.apache.parquet').send(Buffer.from(trainingRowsToParquet(rows)));
    return undefined;
  }
  const traces = (): ReturnType<typeof context.store.tracesOf> => context.store.tracesOf(sessionId);
  const records = await inTrainerFormat(format, { rows, traces, envName });
  const lines = records.map((record) => `${stringifyJson(record)}\n`).join('');
  void reply.type('application/jsonl; charset=utf-8').send(lines);
  return undefined;
}

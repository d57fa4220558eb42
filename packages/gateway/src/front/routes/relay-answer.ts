import type { FastifyReply, FastifyRequest } from 'fastify';
import { pipedRequestHeaders } from '../piped-headers.ts';
import type { ShardAnswer, ShardRequest } from '../shard-link.ts';

/** Answers with what a process answered. */
export function relayAnswer(reply: FastifyReply, { status, body }: ShardAnswer): string {
  reply.code(status);
  return body.toString();
}

/** The first of several answers that is no success. */
export function firstRefusal(answers: readonly ShardAnswer[]): ShardAnswer | undefined {
  return answers.find(({ status }) => status >= 400);
}

/** A control request as it goes to a process, with its own body or another one. */
export function passedOn(request: FastifyRequest, body?: Buffer): ShardRequest {
  const given = body ?? (Buffer.isBuffer(request.body) ? request.body : undefined);
  const headers = pipedRequestHeaders(request.raw.rawHeaders);
  const fitting: string[] = [];
  for (let at = 0; at + 1 < headers.length; at += 2) {
    if (headers[at]!.toLowerCase() !== 'content-length') fitting.push(headers[at]!, headers[at + 1]!);
  }
  return { method: request.method, path: request.url, headers: fitting, body: given };
}

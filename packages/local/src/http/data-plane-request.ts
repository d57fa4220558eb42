import type { IncomingHttpHeaders } from 'node:http';

/** A request of the data plane after Fastify has read its path and collected its body. */
export interface DataPlaneRequest {
  id: string;
  /** The ARN or id, percent-decoded. */
  params: { agent: string };
  query: { accountId?: string | undefined; qualifier?: string | undefined };
  headers: IncomingHttpHeaders;
  body?: Buffer | undefined;
}

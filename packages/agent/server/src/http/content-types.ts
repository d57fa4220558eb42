import { maxPayloadBytes } from '@art/protocol';
import type { FastifyBodyParser, FastifyContentTypeParser, FastifyInstance } from 'fastify';
import { parseBody } from './parse-body.ts';

/** An own parser for one content type, in the shape of AWS's TypeScript SDK. */
export interface ContentTypeParserConfig {
  contentType: string | string[] | RegExp;
  parser: FastifyBodyParser<string | Buffer> | FastifyContentTypeParser;
  /** The form in which the parser gets the body: text, bytes, or the request's stream. @default 'string' */
  parseAs?: 'string' | 'buffer' | 'stream';
  /** Largest body for this content type. @default 100_000_000 */
  bodyLimit?: number;
}

const mediaType = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** Reads every body as JSON, except for the content types that the agent reads itself. */
export function acceptEveryContentType(
  fastify: FastifyInstance,
  own: readonly ContentTypeParserConfig[] = [],
): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseBody(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  for (const { contentType, parser, parseAs = 'string', bodyLimit = maxPayloadBytes } of own) {
    const options = parseAs === 'stream' ? { bodyLimit } : { parseAs, bodyLimit };
    // Fastify declares a function for each way of parsing; which one it is stands in `parseAs`.
    fastify.addContentTypeParser(contentType, options, parser as FastifyContentTypeParser);
  }
  // Fastify answers 415 to a header that is no media type at all; here it counts as none.
  fastify.addHook('onRequest', async (request) => {
    const header = request.raw.headers['content-type'];
    if (header !== undefined && !mediaType.test(header)) delete request.raw.headers['content-type'];
  });
}

import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';

/** Answers a request: the JSON text of the reply, or nothing where it has answered itself. */
export type PathHandler = (
  request: FastifyRequest,
  reply: FastifyReply,
) => string | undefined | Promise<string | undefined>;

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const satisfies HTTPMethods[];

/** Registers a path with a handler for each of its methods; the others are answered 405 and not 404. */
export function registerPath(
  app: FastifyInstance,
  path: string,
  handlers: Partial<Record<(typeof methods)[number], PathHandler>>,
): void {
  for (const method of methods) {
    const handle = handlers[method];
    if (handle === undefined) continue;
    app.route({
      method,
      url: path,
      exposeHeadRoute: false,
      async handler(request, reply) {
        const body = await handle(request, reply);
        if (body === undefined) return reply;
        return reply.type('application/json').send(body);
      },
    });
  }
  app.route({
    method: [...methods.filter((method) => handlers[method] === undefined), 'HEAD'],
    url: path,
    handler: (_request, reply) =>
      reply
        .code(405)
        .header('allow', Object.keys(handlers).join(', '))
        .send({ detail: 'Method Not Allowed' }),
  });
}

/** The path behind the prefix of a route that ends in `*`, decoded. */
export function wildcard(request: FastifyRequest): string {
  return (request.params as { '*': string })['*'];
}

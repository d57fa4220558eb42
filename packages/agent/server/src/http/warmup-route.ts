import type { FastifyInstance } from 'fastify';

/**
 * Loads what every session needs, before any session is there: AgentCore calls it once, when the runtime is created or updated, and copies the
 * memory that it leaves into every session. So it opens no connection, asks for no credentials, reads no clock and draws no random number:
 * all sessions would have the same. When it throws, the runtime is not created.
 * Source: AgentCore developer guide, lifecycle hooks.
 */
export type WarmupHandler = () => void | Promise<void>;

/** Where the hook is to be set to: `hooksConfiguration.build.warmup.action.httpPost.path`. */
export const warmupPath = '/warmup';

/** Adds the route of the lifecycle hook. */
export function serveWarmup(fastify: FastifyInstance, handler: WarmupHandler): void {
  fastify.post(warmupPath, async (request, reply) => {
    try {
      await handler();
    } catch (error) {
      // Anything but 2xx fails the build, which is meant.
      request.log.error({ err: error }, 'The warm-up failed');
      const reason = error instanceof Error ? error.message : String(error);
      return reply.code(500).send({ error: `The warm-up failed: ${reason}` });
    }
    return reply.code(204).send();
  });
}

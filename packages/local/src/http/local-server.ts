import { randomUUID } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';
import { registerS3Endpoint, type S3Settings } from '@art/local-s3';
import { agentCardRoute } from './agent-card-route.ts';
import { commandRoute } from './command-route.ts';
import { type DataPlaneContext, registerDataPlane } from './data-plane.ts';
import { registerDiagnostics, type Diagnostics } from './diagnostics-routes.ts';
import { invokeRoute } from './invoke-route.ts';
import { stopRoute } from './stop-route.ts';

const routes = [invokeRoute, stopRoute, commandRoute, agentCardRoute];

/** The one HTTP server: the data plane under `/runtimes/`, diagnostics under `/_art/`, S3 for everything else. */
export async function buildLocalServer(
  context: DataPlaneContext,
  diagnostics: Diagnostics,
  s3: S3Settings | undefined,
): Promise<FastifyInstance> {
  const server = fastify({
    forceCloseConnections: true,
    genReqId: () => randomUUID(),
    // An ARN is percent-encoded into one segment of the path; the default of 100 characters is too short for it.
    routerOptions: { maxParamLength: 2_048 },
  });
  await server.register(async (scope) => registerDataPlane(scope, context, routes));
  await server.register(async (scope) => registerDiagnostics(scope, diagnostics));
  if (s3 !== undefined) await registerS3Endpoint(server, s3);
  return server;
}

import type { FastifyInstance } from 'fastify';
import { registerTrajectoryRoutes } from '../control/trajectories/trajectory-routes.ts';
import type { RouteContext } from '../control/route-context.ts';
import {
  registerAdminRoutes,
  registerHealthRoutes,
  registerMetricsRoutes,
} from '../control/routes/operator-routes.ts';
import { registerSessionRoutes } from '../control/routes/session-routes.ts';
import { registerTraceRoutes } from '../control/routes/trace-routes.ts';
import { registerWorkerRoutes } from '../control/routes/worker-routes.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { handleCall } from '../calls/handle-call.ts';
import { parseProxyPath, type ProxyTarget } from '../http/proxy-path.ts';
import type { ServedRequests } from './gateway-server.ts';

/** One group of control routes. */
type RouteGroup = (app: FastifyInstance, context: RouteContext) => void;

/** All control routes; another group is one more entry. */
const routeGroups: readonly RouteGroup[] = [
  registerHealthRoutes,
  registerMetricsRoutes,
  registerSessionRoutes,
  registerTraceRoutes,
  registerTrajectoryRoutes,
  registerWorkerRoutes,
  registerAdminRoutes,
];

/** What a gateway serves: the model API on the bare connection, everything else by its control routes. */
export function gatewayRoutes(context: RouteContext): ServedRequests {
  return {
    serve: (request, response) => serveModelCall(context, request, response),
    register(app) {
      for (const register of routeGroups) register(app, context);
    },
  };
}

function serveModelCall(context: RouteContext, request: IncomingMessage, response: ServerResponse): boolean {
  const { url = '/', method = 'GET' } = request;
  let target: ProxyTarget | undefined;
  try {
    target = parseProxyPath(url, method);
  } catch {
    sendJson(response, 400, JSON.stringify({ detail: 'The URL is not well-formed.' }));
    return true;
  }
  if (target === undefined) return false;
  if (method !== 'GET' && method !== 'POST') {
    response.setHeader('allow', 'GET, POST');
    sendJson(response, 405, JSON.stringify({ detail: 'Method Not Allowed' }));
    return true;
  }
  void handleCall(context, request, response, target);
  return true;
}

function sendJson(response: ServerResponse, status: number, body: string): void {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, headers).end(body);
}

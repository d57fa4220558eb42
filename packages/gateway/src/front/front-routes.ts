import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseProxyPath } from '../proxy/proxy-path.ts';
import type { ServedRequests } from '../server/gateway-server.ts';
import { controlSession } from './control-session.ts';
import type { FrontContext } from './front-context.ts';
import { pipeRequest } from './pipe-request.ts';
import { routeCall } from './route-call.ts';
import { mergedRoutes } from './routes/merged-routes.ts';
import type { ShardProcess } from './shard-process.ts';

/** What a front serves: requests of one session are piped to its process, the others put together from all. */
export function frontRoutes(context: FrontContext): ServedRequests {
  return {
    serve: (request, response) => servePiped(context, request, response),
    register(app) {
      for (const register of mergedRoutes) register(app, context);
    },
  };
}

function servePiped(context: FrontContext, request: IncomingMessage, response: ServerResponse): boolean {
  const { url = '/', method = 'GET' } = request;
  const pipeTo = (shard: ShardProcess): boolean => {
    const route = (): { shard: ShardProcess; body: undefined } => ({ shard, body: undefined });
    void pipeRequest(context, { request, response, endpoint: 'other', route });
    return true;
  };
  try {
    const target = parseProxyPath(url, method);
    if (target !== undefined) {
      const { endpoint } = target;
      const route = (): ReturnType<typeof routeCall> => routeCall(context, request, target);
      void pipeRequest(context, { request, response, endpoint, route });
      return true;
    }
    const sessionId = controlSession(method, url);
    return sessionId === undefined ? false : pipeTo(context.shards.of(sessionId));
  } catch {
    // An ill-encoded id: any process finds the words for it.
    return pipeTo(context.shards.any());
  }
}

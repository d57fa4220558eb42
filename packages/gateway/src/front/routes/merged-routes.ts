import type { FastifyInstance } from 'fastify';
import type { FrontContext } from '../front-context.ts';
import { registerFrontAdminRoutes } from './front-admin-routes.ts';
import { registerFrontHealthRoutes } from './front-health-routes.ts';
import { registerFrontMetricsRoutes } from './front-metrics-routes.ts';
import { registerFrontSessionRoutes } from './front-session-routes.ts';
import { registerFrontTraceRoutes } from './front-trace-routes.ts';
import { registerFrontWorkerRoutes } from './front-worker-routes.ts';

/** One group of routes that several processes answer together. */
export type MergedRouteGroup = (app: FastifyInstance, context: FrontContext) => void;

export const mergedRoutes: readonly MergedRouteGroup[] = [
  registerFrontHealthRoutes,
  registerFrontMetricsRoutes,
  registerFrontSessionRoutes,
  registerFrontTraceRoutes,
  registerFrontWorkerRoutes,
  registerFrontAdminRoutes,
];

import type { FastifyInstance } from 'fastify';
import { registerTrajectoryRoutes } from '../trajectories/trajectory-routes.ts';
import type { RouteContext } from '../route-context.ts';
import { registerAdminRoutes } from './admin-routes.ts';
import { registerHealthRoutes } from './health-routes.ts';
import { registerMetricsRoutes } from './metrics-routes.ts';
import { registerSessionRoutes } from './session-routes.ts';
import { registerTraceRoutes } from './trace-routes.ts';
import { registerWorkerRoutes } from './worker-routes.ts';

/** One group of control routes. */
export type RouteGroup = (app: FastifyInstance, context: RouteContext) => void;

/** All control routes; another group is one more entry. */
export const routeGroups: readonly RouteGroup[] = [
  registerHealthRoutes,
  registerMetricsRoutes,
  registerSessionRoutes,
  registerTraceRoutes,
  registerTrajectoryRoutes,
  registerWorkerRoutes,
  registerAdminRoutes,
];

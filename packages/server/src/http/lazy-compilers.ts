import type { FastifyInstance, FastifyServerOptions } from 'fastify';

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;
/** What both give: for all schemas of a scope, what compiles the one of a route. */
type Factory = (schemas: unknown, options: unknown) => (route: RouteSchema) => unknown;

interface RouteSchema {
  schema: unknown;
  httpPart?: string;
}

let validator: Factory | undefined;
let serializer: Factory | undefined;

/**
 * Fastify's own compilers of JSON Schema, which it loads when it is made. That takes 45 ms of processor time, every session is a
 * process that must start, and the routes of the app have no schema.
 */
export const lazyCompilers = {
  buildValidator: (schemas: unknown, options: unknown) => {
    const compile = loaded(validator)(schemas, options);
    return (route: RouteSchema) =>
      compile(route.httpPart === 'headers' ? { ...route, schema: inLowerCase(route.schema) } : route);
  },
  buildSerializer: (schemas: unknown, options: unknown) => loaded(serializer)(schemas, options),
  // Fastify declares them by the types of Ajv, which this package knows nothing of.
} as unknown as Compilers;

function loaded(factory: Factory | undefined): Factory {
  if (factory !== undefined) return factory;
  throw new Error('A schema can be compiled only where the app has a route of your own.');
}

/** Loads them for the routes that are added from here on: those of plugins and of the agent's own. */
export function loadCompilersForRoutes(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', ({ url }) => {
    if (validator !== undefined || url === '/ws') return;
    // Plugins are loaded before Fastify compiles any schema.
    fastify.register(async () => {
      const [{ default: ajv }, { default: stringify }] = await Promise.all([
        import('@fastify/ajv-compiler'),
        import('@fastify/fast-json-stringify-compiler'),
      ]);
      validator = ajv() as unknown as Factory;
      serializer = stringify() as unknown as Factory;
    });
  });
}

// As Fastify does where it has its compilers from itself: names of headers arrive in lower case.
function inLowerCase(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const { properties, required } = schema as { properties?: object; required?: string[] };
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [name.toLowerCase(), value as unknown]),
      ),
    }),
    ...(required && { required: required.map((name) => name.toLowerCase()) }),
  };
}

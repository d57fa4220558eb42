import { createRequire } from 'node:module';
import type { FastifyServerOptions } from 'fastify';

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;
/** What both give: for all schemas of a scope, what compiles the one of a route. */
type Factory = (schemas: unknown, options: unknown) => (route: RouteSchema) => unknown;

interface RouteSchema {
  schema: unknown;
  httpPart?: string;
}

/**
 * Fastify's own compilers of JSON Schema, loaded for the first route that has a schema. Fastify itself loads them when it is made,
 * which takes 45 ms of processor time, and every session is a process that must start. The routes of the app have none; those of
 * plugins and of the agent's own may.
 */
export const lazyCompilers = {
  buildValidator: (schemas: unknown, options: unknown) => {
    const compile = load('@fastify/ajv-compiler')(schemas, options);
    return (route: RouteSchema) =>
      compile(route.httpPart === 'headers' ? { ...route, schema: inLowerCase(route.schema) } : route);
  },
  buildSerializer: (schemas: unknown, options: unknown) =>
    load('@fastify/fast-json-stringify-compiler')(schemas, options),
  // Fastify declares them by the types of Ajv, which this package does not depend on.
} as unknown as Compilers;

/** One of the compilers that Fastify depends on. */
function load(name: string): Factory {
  const fastify = createRequire(import.meta.url).resolve('fastify');
  return (createRequire(fastify)(name) as () => Factory)();
}

// As Fastify does where it has its compilers from itself: names of headers arrive in lower case.
function inLowerCase(schema: unknown): unknown {
  const { properties, required } = (schema ?? {}) as { properties?: object; required?: string[] };
  if (properties === undefined && required === undefined) return schema;
  return {
    ...(schema as object),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [name.toLowerCase(), value as unknown]),
      ),
    }),
    ...(required && { required: required.map((name) => name.toLowerCase()) }),
  };
}

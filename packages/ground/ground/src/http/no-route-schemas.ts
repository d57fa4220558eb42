function refuse(): never {
  throw new Error('Expected no route of this server to have a schema.');
}

/** Fastify's `schemaController` for servers whose routes have no schemas: the compilers for them are a third of what it loads. */
export const noRouteSchemas = { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } };

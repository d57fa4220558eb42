interface LightSchema<Request> {
  '~standard': {
    version: 1;
    vendor: string;
    types?: { input: Request; output: Request };
    validate: (payload: unknown) => { value: Request } | { issues: { message: string }[] };
  };
}

/**
 * A schema without a library. The tests start hundreds of agents, and a library of schemas is a third of what a start costs; the
 * examples and the server's own tests have one.
 */
export function lightSchema<Request>(
  isRequest: (payload: Partial<Request>) => boolean,
): LightSchema<Request> {
  return {
    '~standard': {
      version: 1,
      vendor: 'art-e2e',
      validate: (payload) =>
        isRequest(payload as Partial<Request>)
          ? { value: payload as Request }
          : { issues: [{ message: 'is not what this agent of the tests takes' }] },
    },
  };
}

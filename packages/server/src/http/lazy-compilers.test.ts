import { expect, it } from 'vitest';
import { testApp } from '../test-app.fixture.ts';

it('a route of the agent may have schemas, of headers in any case, too', async () => {
  const { app } = testApp();
  app.fastify.get(
    '/own',
    {
      schema: {
        headers: { type: 'object', properties: { 'X-Turns': { type: 'integer' } }, required: ['X-Turns'] },
        response: { 200: { type: 'object', properties: { turns: { type: 'string' } } } },
      },
    },
    ({ headers }) => ({ turns: Number(headers['x-turns']) + 1, more: 1 }),
  );
  const ask = (headers: Record<string, string>): ReturnType<typeof app.inject> =>
    app.inject({ url: '/own', headers });
  expect((await ask({})).statusCode).toBe(400);
  expect((await ask({ 'X-Turns': 'many' })).statusCode).toBe(400);
  expect((await ask({ 'X-Turns': '2' })).json()).toEqual({ turns: '3' });
  await app.close();
});

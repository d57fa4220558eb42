import { expect, it } from 'vitest';
import { EngineUnreachable } from './engine-transport.ts';

it('names a worker without the password in its address', () => {
  const { message } = new EngineUnreachable({
    baseUrl: 'http://user:secret@host:8000',
    failure: 'not_connected',
    cause: new Error('connect ECONNREFUSED'),
  });
  expect(message).toBe('No answer came from the worker http://[redacted]@host:8000: connect ECONNREFUSED.');
});

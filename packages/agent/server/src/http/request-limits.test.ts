import { afterEach, expect, it } from 'vitest';
import { testApp, type TestApp } from '../test-app.fixture.ts';
import { requestTimeLimits } from '@art/ground';

let made: TestApp;

afterEach(() => made.app.close());

it('the limits of an app give its largest body time on a line of 7 Mbit/s', () => {
  made = testApp();
  const { headersTimeout, requestTimeout } = made.app.fastify.server;
  expect({ headersTimeout, requestTimeout }).toEqual({ headersTimeout: 30_000, requestTimeout: 120_000 });
  expect((100_000_000 * 8) / (requestTimeLimits.requestTimeout / 1_000)).toBeLessThan(7_000_000);
});

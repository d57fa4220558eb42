import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import type { KeySource } from '../options/sagemaker-training-options.ts';
import { AwsFailure } from './aws-failure.ts';
import { SignedCalls } from './signed-calls.ts';

const hourMs = 3_600_000;
const startMs = Date.parse('2026-11-20T08:00:00Z');

/** Time of a test: it passes where somebody waits, and where the test says so. */
function testClock(offsetMs = 0) {
  const time = { ms: 0 };
  return {
    time,
    nowMs: () => time.ms,
    epochMs: () => startMs + offsetMs + time.ms,
    after: (delayMs: number, wake: () => void) => {
      const timer = setImmediate(() => {
        time.ms += delayMs;
        wake();
      });
      return () => clearImmediate(timer);
    },
  };
}

/** A service that answers as told, with the time that the test has. */
async function serve(answer: (request: IncomingMessage, reply: ServerResponse) => void): Promise<string> {
  const server = createServer((request, reply) => {
    request.resume();
    reply.sendDate = false;
    answer(request, reply);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function refuse(reply: ServerResponse, type: string, status = 403): void {
  reply.writeHead(status, { 'x-amzn-errortype': type }).end('{"message":"refused"}');
}

/** Keys that live for an hour, given out until somebody says that they were refused. */
function hourlyKeys(clock: { epochMs: () => number }): { keys: KeySource; asked: () => number } {
  const issue = () => ({ accessKeyId: 'a', secretAccessKey: 's', sessionToken: String(clock.epochMs()) });
  let [held, refreshed] = [issue(), 0];
  const keys: KeySource = ({ forceRefresh = false } = {}) => {
    if (forceRefresh) [held, refreshed] = [issue(), refreshed + 1];
    return Promise.resolve(held);
  };
  return { keys, asked: () => refreshed };
}

it('outlives its keys: eight hours with keys of an hour', async () => {
  const clock = testClock();
  let refusals = 0;
  const endpoint = await serve((request, reply) => {
    const issuedMs = Number(request.headers['x-amz-security-token']);
    if (clock.epochMs() - issuedMs < hourMs) return void reply.end('{}');
    refusals += 1;
    refuse(reply, refusals % 2 === 0 ? 'ExpiredTokenException:http://x' : 'AccessDeniedException');
  });
  const { keys, asked } = hourlyKeys(clock);
  const calls = new SignedCalls(endpoint, 'us-west-2', keys, clock);
  for (; clock.time.ms < 8 * hourMs; clock.time.ms += 300_000)
    expect(await calls.send({ method: 'GET', path: '/' })).toEqual({});
  expect(asked()).toBeGreaterThanOrEqual(7);
  expect(asked()).toBeLessThan(10);
});

it('a refusal that lasts for a second, after calls that were taken, ends nothing', async () => {
  const clock = testClock();
  const endpoint = await serve((_, reply) => {
    if (clock.time.ms < 1_000 || clock.time.ms >= 2_500) return void reply.end('{}');
    refuse(reply, 'AccessDeniedException');
  });
  const calls = new SignedCalls(endpoint, 'us-west-2', hourlyKeys(clock).keys, clock);
  await calls.send({ method: 'GET', path: '/' });
  clock.time.ms = 1_000;
  expect(await calls.send({ method: 'GET', path: '/' })).toEqual({});
});

it.each([
  [false, 5_000],
  [true, 120_000],
])('keys that are refused for good end it within a bound (taken before: %s)', async (wereTaken, withinMs) => {
  const clock = testClock();
  let isTaken = wereTaken;
  const endpoint = await serve((_, reply) =>
    isTaken ? reply.end('{}') : refuse(reply, 'AccessDeniedException'),
  );
  const calls = new SignedCalls(endpoint, 'us-west-2', hourlyKeys(clock).keys, clock);
  if (wereTaken) await calls.send({ method: 'GET', path: '/' });
  isTaken = false;
  await expect(calls.send({ method: 'GET', path: '/' })).rejects.toMatchObject({
    kind: 'AccessDeniedException',
  });
  expect(clock.time.ms).toBeLessThanOrEqual(withinMs);
  expect(clock.time.ms).toBeGreaterThan(withinMs / 3);
});

it('keys that cannot be asked for for a while are waited for, once there were some', async () => {
  const clock = testClock();
  const endpoint = await serve((_, reply) => void reply.end('{}'));
  const keys: KeySource = () =>
    clock.time.ms > 1_000 && clock.time.ms < 20_000
      ? Promise.reject(new Error('no route to the metadata service'))
      : Promise.resolve({ accessKeyId: 'a', secretAccessKey: 's' });
  const calls = new SignedCalls(endpoint, 'us-west-2', keys, clock);
  await calls.send({ method: 'GET', path: '/' });
  clock.time.ms = 2_000;
  expect(await calls.send({ method: 'GET', path: '/' })).toEqual({});
  const never = new SignedCalls(endpoint, 'us-west-2', () => Promise.reject(new Error('no keys')), clock);
  await expect(never.send({ method: 'GET', path: '/' })).rejects.toThrow('no keys');
});

it.each([-1_200_000, 1_200_000])(
  'signs with the time of the service where this machine is %i ms off',
  async (offMs) => {
    const clock = testClock(offMs);
    const seen: number[] = [];
    const endpoint = await serve((request, reply) => {
      const serverMs = startMs + clock.time.ms;
      const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(
        String(request.headers['x-amz-date']),
      )!;
      const signedMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
      seen.push(Math.abs(signedMs - serverMs));
      reply.setHeader('date', new Date(serverMs).toUTCString());
      if (seen.at(-1)! > 300_000) return refuse(reply, 'InvalidSignatureException');
      reply.end('{}');
    });
    const calls = new SignedCalls(endpoint, 'us-west-2', hourlyKeys(clock).keys, clock);
    expect(await calls.send({ method: 'GET', path: '/' })).toEqual({});
    expect(await calls.send({ method: 'GET', path: '/' })).toEqual({});
    expect(seen).toHaveLength(3);
    expect(seen.slice(1).every((awayMs) => awayMs <= 2_000)).toBe(true);
  },
);

it('a failure that is none of keys is the caller’s to judge', async () => {
  const clock = testClock();
  const endpoint = await serve((_, reply) => refuse(reply, 'ThrottlingException', 429));
  const calls = new SignedCalls(endpoint, 'us-west-2', hourlyKeys(clock).keys, clock);
  await expect(calls.send({ method: 'GET', path: '/' })).rejects.toBeInstanceOf(AwsFailure);
  expect(clock.time.ms).toBe(0);
});

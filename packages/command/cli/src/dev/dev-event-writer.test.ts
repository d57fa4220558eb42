import { describe, expect, it } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import type { DevEvent } from './dev-event.ts';
import { devEventWriter } from './dev-event-writer.ts';
import { sdkEnvironment } from '../connection/sdk-environment.ts';

const sessionId = 'a856c62e-0000-4000-8000-000000000001';
const endpoint = 'http://127.0.0.1:8787';
const ready: DevEvent = {
  event: 'ready',
  endpoint,
  agentRuntimeArn: 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/agent-local00000',
  bucket: 'art-local',
  region: 'us-west-2',
  environment: sdkEnvironment(endpoint, 'us-west-2'),
  logDir: '/tmp/logs',
  watching: [],
  pid: 1,
};

function asText(event: DevEvent, isTTY = false): string {
  const context = capturedContext({ isTTY });
  devEventWriter(context, false)(event);
  return context.output();
}

describe('devEventWriter', () => {
  it('names an invocation and what the agent says of it', () => {
    const text = asText({ event: 'invocation', sessionId, invocationId: 'inv-1', status: 'in_progress' });
    expect(text).toMatch(/invocation inv-1 in_progress\n$/);
  });

  it('shows all that is needed to get there, ready to be pasted', () => {
    const text = asText(ready);
    expect(text).toContain('arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/agent-local00000');
    expect(text).toMatch(/bucket +art-local/);
    expect([...text.matchAll(/^ {2}export (.*)$/gm)].map((match) => match[1])).toEqual([
      'AWS_ENDPOINT_URL=http://127.0.0.1:8787',
      'AWS_ACCESS_KEY_ID=local',
      'AWS_SECRET_ACCESS_KEY=local',
      'AWS_REGION=us-west-2',
      'AWS_DEFAULT_REGION=us-west-2',
    ]);
  });

  it.each<[DevEvent, string]>([
    [{ event: 'log', sessionId, line: 'hello' }, '[a856c62e] hello\n'],
    [{ event: 'log', line: 'booting' }, '[starting] booting\n'],
    [
      { event: 'session_started', sessionId, pid: 7, startMs: 80.4, warm: true },
      '[a856c62e] session started (pid 7, 80 ms, warm)\n',
    ],
    [
      { event: 'ping_waited', sessionId, waitedMs: 4_512 },
      '[a856c62e] no ping was answered for 4.5 s: something blocked the event loop. Mostly that is execSync in a tool; await exec or spawn instead, or use @art/server/ping-thread.\n',
    ],
    [
      { event: 'session_ended', sessionId, reason: 'stopped', exit: 'was killed by SIGTERM' },
      '[a856c62e] session ended (stopped)\n',
    ],
    [
      { event: 'session_ended', sessionId, reason: 'exited', exit: 'exited with code 1' },
      '[a856c62e] session ended (exited, exited with code 1)\n',
    ],
    [
      {
        event: 'fault',
        seq: 3,
        rule: 'rule 0',
        ruleIndex: 0,
        match: 12,
        kind: 'kill',
        moment: 'after',
        operation: 'invoke',
        agent: 'agent',
        sessionId,
        durationMs: 734,
      },
      '[a856c62e] fault 3: kill after invoke (734 ms, rule 0, match 12)\n',
    ],
    [
      {
        event: 'fault',
        seq: 4,
        rule: 'full',
        ruleIndex: 1,
        match: 1,
        kind: 'error',
        moment: 'before',
        operation: 's3_list',
        bucket: 'b',
        key: 'exp/',
        status: 503,
      },
      '[s3] fault 4: error 503 before s3_list (b/exp/, full, match 1)\n',
    ],
    [
      { event: 'restart', files: ['a', 'b', 'c', 'd', 'e'], endedSessions: 2 },
      'a, b, c and 2 more changed: 2 sessions ended, the next invoke starts fresh\n',
    ],
    [
      { event: 'restart', files: ['a'], endedSessions: 0 },
      'a changed: no session was running, the next invoke starts fresh\n',
    ],
    [{ event: 'notice', message: 'mind this' }, 'note mind this\n'],
    [{ event: 'error', code: 'internal', message: 'oops' }, 'error internal: oops\n'],
    [{ event: 'stopping', liveSessions: 1 }, 'Stopping 1 session. Ctrl-C again ends them at once.\n'],
    [{ event: 'stopping', liveSessions: 0 }, 'Stopping.\n'],
    [{ event: 'stopped' }, 'Stopped.\n'],
  ])('writes %j for people', (event, text) => {
    expect(asText(event)).toBe(text);
  });

  it('colours the prefix on a terminal, and keeps the colours of an agent to it', () => {
    const event: DevEvent = { event: 'log', sessionId, line: '\u001b[32mgreen\u001b[39m' };
    expect(asText(event, true)).toMatch(
      /^\u001b\[\d+m\[a856c62e\]\u001b\[39m \u001b\[32mgreen\u001b\[39m\n$/,
    );
    expect(asText(event)).toBe('[a856c62e] green\n');
  });

  it('shows what in a log would rewrite or turn round what the terminal shows', () => {
    const plain: DevEvent = { event: 'log', sessionId, line: 'fine\r\u202edone\u2069\u001b[2J' };
    expect(asText(plain, true)).toMatch(/ fine\\r\\u202edone\\u2069\\u001b\[2J\n$/);
    const structured: DevEvent = {
      event: 'log',
      sessionId,
      line: JSON.stringify({ level: 'INFO', message: 'fine\r\u202e\n[other] forged' }),
    };
    expect(asText(structured)).toBe('[a856c62e] INFO fine\\r\\u202e\n[a856c62e] [other] forged\n');
    const context = capturedContext();
    devEventWriter(context, true)(plain);
    expect(context.output()).not.toMatch(/[\r\u202e\u2069\u001b]/);
    expect(JSON.parse(context.output())).toMatchObject(plain);
  });

  it('writes one JSON object a line for programs', () => {
    const context = capturedContext();
    const emit = devEventWriter(context, true, () => 1_700_000_000_000);
    emit({ event: 'log', sessionId, line: 'a\nb "c"' });
    emit({ event: 'stopped' });
    expect(context.output().split('\n')).toEqual([
      JSON.stringify({ event: 'log', sessionId, line: 'a\nb "c"', atMs: 1_700_000_000_000 }),
      JSON.stringify({ event: 'stopped', atMs: 1_700_000_000_000 }),
      '',
    ]);
  });
});

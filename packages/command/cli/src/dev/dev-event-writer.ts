import type { CliContext } from '../cli-context.ts';
import { formatJob, formatRollout } from '../sagemaker/job-event.ts';
import { eventWriter, type Tell } from '../terminal/event-writer.ts';
import { formatLogLine } from '../terminal/format-log-line.ts';
import type { Paint } from '../terminal/paint.ts';
import { sessionPrefix } from '../terminal/session-prefix.ts';
import type { DevEvent } from './dev-event.ts';

/** Writes events to stdout, for people or, with `json`, for programs. */
export function devEventWriter(
  context: Pick<CliContext, 'stdout' | 'env'>,
  json: boolean,
  epochMs: () => number = Date.now,
): Tell<DevEvent> {
  const tell = eventWriter<DevEvent>(context, json, (event, paint) => `${formatDevEvent(event, paint)}\n`);
  return json ? (event) => tell(Object.assign({ ...event }, { atMs: epochMs() })) : tell;
}

const mostNamedFiles = 3;

/** An event as people read it, without a line break at the end. */
function formatDevEvent(event: DevEvent, paint: Paint): string {
  switch (event.event) {
    case 'ready':
      return formatReady(event, paint);
    case 'log':
      return (
        formatLogLine(event.line, paint)
          // A structured line may hold line breaks, and what follows them must not look like a line of somebody else.
          .flatMap((line) => line.split('\n'))
          .map((line) => `${prefixOf(event.sessionId, paint)} ${line}`)
          .join('\n')
      );
    case 'session_started': {
      const facts = [
        event.pid === undefined ? '' : `pid ${event.pid}`,
        event.startMs === undefined ? '' : `${Math.round(event.startMs)} ms`,
        event.warm === true ? 'warm' : '',
      ].filter((fact) => fact !== '');
      return `${prefixOf(event.sessionId, paint)} ${paint('dim', `session started (${facts.join(', ')})`)}`;
    }
    case 'ping_waited': {
      const what = `no ping was answered for ${(event.waitedMs / 1_000).toFixed(1)} s: something blocked the event loop`;
      const hint =
        'Mostly that is execSync in a tool; await exec or spawn instead, or use @art/server/ping-thread.';
      return `${prefixOf(event.sessionId, paint)} ${paint('yellow', what)}. ${hint}`;
    }
    case 'session_ended': {
      const failed = ['exited', 'start_failed', 'unhealthy'].includes(event.reason);
      // That a session which was asked to end died of SIGTERM is no news.
      const how = failed && event.exit !== undefined ? `${event.reason}, ${event.exit}` : event.reason;
      return `${prefixOf(event.sessionId, paint)} ${paint(failed ? 'red' : 'dim', `session ended (${how})`)}`;
    }
    case 'invocation':
      return `${prefixOf(event.sessionId, paint)} ${paint('dim', `invocation ${event.invocationId} ${event.status}`)}`;
    case 'fault':
      return formatFault(event, paint);
    case 'restart':
      return paint(
        'bold',
        `${namedFiles(event.files)} changed: ${event.endedSessions === 0 ? 'no session was running' : `${sessions(event.endedSessions)} ended`}, the next invoke starts fresh`,
      );
    case 'rollout':
      return formatRollout(event, paint);
    case 'job':
      return formatJob(event, paint);
    case 'notice':
      return `${paint('yellow', 'note')} ${event.message}`;
    case 'error':
      return `${paint('red', 'error')} ${event.code}: ${event.message}`;
    case 'stopping':
      return event.liveSessions === 0
        ? 'Stopping.'
        : `Stopping ${sessions(event.liveSessions)}. Ctrl-C again ends them at once.`;
    case 'stopped':
      return 'Stopped.';
  }
}

function formatFault(fault: Extract<DevEvent, { event: 'fault' }>, paint: Paint): string {
  const { kind, status, moment, operation, durationMs, bucket, key, match, rule } = fault;
  const what = [kind, status, moment, operation].filter((word) => word !== undefined).join(' ');
  const facts = [
    durationMs === undefined ? '' : `${durationMs} ms`,
    bucket === undefined ? '' : `${bucket}/${key ?? ''}`,
    `${rule}, match ${match}`,
  ].filter((fact) => fact !== '');
  const prefix = fault.sessionId === undefined ? paint('dim', '[s3]') : prefixOf(fault.sessionId, paint);
  return `${prefix} ${paint('yellow', `fault ${fault.seq}: ${what}`)} ${paint('dim', `(${facts.join(', ')})`)}`;
}

function formatReady(event: Extract<DevEvent, { event: 'ready' }>, paint: Paint): string {
  const watching = event.watching.length === 0 ? 'nothing' : event.watching.join(', ');
  return [
    `${paint('bold', 'AgentCore and S3')} at ${paint('cyan', event.endpoint)}`,
    `  agent     ${event.agentRuntimeArn}`,
    `  bucket    ${event.bucket}`,
    `  logs      ${event.logDir}`,
    `  watching  ${watching}`,
    ...(event.faults === undefined ? [] : [`  faults    ${event.faults}`]),
    '',
    'To use it from another shell:',
    ...Object.entries(event.environment).map(([name, value]) => `  export ${name}=${value}`),
    '',
    `Send a rollout with ${paint('cyan', `art invoke '{"prompt":"..."}'`)}. Ctrl-C ends everything.`,
    '',
  ].join('\n');
}

function prefixOf(sessionId: string | undefined, paint: Paint): string {
  return sessionId === undefined ? paint('dim', '[starting]') : sessionPrefix(sessionId, paint);
}

function sessions(count: number): string {
  return count === 1 ? '1 session' : `${count} sessions`;
}

function namedFiles(files: readonly string[]): string {
  const more = files.length - mostNamedFiles;
  const named = files.slice(0, mostNamedFiles).join(', ');
  return more > 0 ? `${named} and ${more} more` : named;
}

import { once } from 'node:events';
import { runtimeHeaders } from '@art/protocol';
import { commandEventFrame, type CommandEvent } from '../command/command-event-frame.ts';
import { readCommandRequest } from '../command/command-request.ts';
import { answerWarmUp, isWarmUp, runCommand } from '../command/run-command.ts';
import { ServiceFault } from '../service/service-fault.ts';
import { type DataPlaneRoute, maxControlBodyBytes } from './data-plane.ts';
import { jsonBody } from './json-body.ts';

/**
 * InvokeAgentRuntimeCommand. Runs beside the agent, in its folder and environment. Where commands are off, the Python toolkit's
 * warm-up starts the session and is answered without running anything.
 */
export const commandRoute: DataPlaneRoute = {
  method: 'POST',
  path: '/commands',
  maxBodyBytes: maxControlBodyBytes,
  answer: async ({ agent, sessionId, requestId, body, reply, hangUp }, context) => {
    const { argv, timeoutMs } = readCommandRequest(jsonBody(body));
    if (!context.settings.allowCommands && !isWarmUp(argv)) throw commandsAreOff();
    context.limits.admitCall();
    await context.faults?.onRequest('command', agent.name, sessionId)?.before(hangUp);
    const session = context.table.open(agent, sessionId);
    using _request = session.beginRequest();
    const { port } = await session.whenReady();
    hangUp.throwIfAborted();
    reply.hijack();
    reply.raw.writeHead(200, {
      'content-type': 'application/vnd.amazon.eventstream',
      [runtimeHeaders.sessionId]: sessionId,
      [runtimeHeaders.requestId]: requestId,
    });
    // A caller that has left is known through its signal; what is still written to it may get lost.
    reply.raw.on('error', () => {});
    const emit = async (event: CommandEvent): Promise<void> => {
      if (hangUp.aborted || reply.raw.write(commandEventFrame(event))) return;
      await once(reply.raw, 'drain', { signal: hangUp }).catch(() => {});
    };
    if (context.settings.allowCommands) {
      await runCommand({
        argv,
        cwd: agent.cwd,
        env: agent.environment(port),
        guard: context.guard,
        timeoutMs,
        stopGraceMs: context.settings.stopGraceMs,
        signal: AbortSignal.any([hangUp, session.ending]),
        emit,
      });
    } else {
      await answerWarmUp(emit);
    }
    reply.raw.end();
    return reply;
  },
};

// Nothing here asks for credentials, so anyone who reaches the port would run programs as this user.
function commandsAreOff(): ServiceFault {
  return new ServiceFault({
    type: 'AccessDeniedException',
    message:
      'The local runtime runs no command that comes over HTTP (it only answers the warm-up "echo hello") unless that is switched on: start it with ' +
      'allowCommands: true, or with art dev --allow-commands',
  });
}

import type { Call } from './call.ts';
import { Heartbeat } from './heartbeat.ts';
import type { ProxyContext } from './proxy-context.ts';

/**
 * Keeps the connection of a silent call alive. The first beat sends the status 200, so what goes wrong afterwards is told in
 * the body. White space before a JSON document and comments between events mean nothing to their readers.
 */
export function startHeartbeat(context: ProxyContext, call: Call): Heartbeat | undefined {
  const { heartbeat } = context.options;
  if (heartbeat === undefined) return undefined;
  return new Heartbeat(heartbeat, {
    beat() {
      const type = call.stream ? 'text/event-stream; charset=utf-8' : 'application/json';
      call.reply.commit(200, { 'content-type': type, 'cache-control': 'no-cache' });
      call.reply.writeBeat(call.stream ? ': keepalive\n\n' : ' ');
      context.metrics.heartbeat();
    },
    expire: () => call.cancel('expired'),
  });
}

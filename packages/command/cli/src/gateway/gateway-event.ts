import type { Paint } from '../terminal/paint.ts';

/** A worker, as far as its user wants to know. */
export interface WorkerState {
  workerId: string;
  url: string;
  healthy: boolean;
  /** Null until it was found out. */
  flavour: string | null;
}

/** Events of `art gateway --json`, an object a line. */
export type GatewayEvent =
  | { event: 'ready'; url: string; captures: string; workers: number; control: 'open' | 'token' }
  | ({ event: 'worker'; change: 'added' | 'up' | 'down' | 'removed' } & WorkerState)
  | { event: 'notice'; message: string }
  | { event: 'stopping' }
  | { event: 'stopped' };

/** An event as people read it. */
export function formatGatewayEvent(event: GatewayEvent, paint: Paint): string {
  switch (event.event) {
    case 'ready':
      return formatReady(event, paint);
    case 'worker': {
      const flavour = event.flavour === null ? '' : ` (${event.flavour})`;
      const colour = event.healthy && event.change !== 'removed' ? 'green' : 'red';
      const change =
        event.change === 'added' ? `added, ${event.healthy ? 'up' : 'not answering yet'}` : event.change;
      return `worker ${event.url}${flavour} ${paint(colour, change)}\n`;
    }
    case 'notice':
      return `${event.message}\n`;
    case 'stopping':
      return 'Stopping; calls under way are finished.\n';
    case 'stopped':
      return 'Stopped.\n';
  }
}

function formatReady(
  { url, captures, control, workers }: Extract<GatewayEvent, { event: 'ready' }>,
  paint: Paint,
): string {
  const lines: [string, string][] = [
    ['agents', `${url}/sessions/{id}/v1  (OpenAI)   ${url}/sessions/{id}  (Anthropic)`],
    ['sessions', 'POST /sessions   GET /sessions/{id}/traces   DELETE /sessions/{id}'],
    ['workers', `POST /admin/workers   GET /health/workers   (${workers} now)`],
    ['metrics', 'GET /health   GET /metrics'],
    ['control', control === 'open' ? 'no token is asked for' : 'wants the admin token as Bearer'],
    ['captures', captures],
  ];
  return [
    `${paint('bold', 'Gateway')} at ${paint('cyan', url)}`,
    ...lines.map(([name, text]) => `  ${name.padEnd(10)}${text}`),
    '',
  ].join('\n');
}

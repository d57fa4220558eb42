import type { Paint } from '../terminal/paint.ts';

/** What `art collect` tells of itself; with `--json` an object a line. */
export type CollectEvent =
  | {
      event: 'ready';
      /** Null where it serves stdin. */
      url: string | null;
      agent: string;
      gateway: string;
      state: string;
      pythonPath: string;
    }
  | { event: 'notice'; message: string }
  | { event: 'stopping'; sessions: 'stopped' | 'left' }
  | { event: 'stopped' };

/** An event as people read it. */
export function formatCollectEvent(event: CollectEvent, paint: Paint): string {
  switch (event.event) {
    case 'ready':
      return [
        `${paint('bold', 'Collecting')} at ${paint('cyan', event.url ?? 'stdin')}`,
        `  agent     ${event.agent}`,
        `  gateway   ${event.gateway}`,
        `  state     ${event.state}`,
        `  Python    PYTHONPATH=${event.pythonPath}   from art_collect import ArtCollect`,
        '',
      ].join('\n');
    case 'notice':
      return `${event.message}\n`;
    case 'stopping':
      return event.sessions === 'left'
        ? 'Stopping; sessions work on, and the same requests go on with them.\n'
        : 'Stopping; sessions are stopped.\n';
    case 'stopped':
      return 'Stopped.\n';
  }
}

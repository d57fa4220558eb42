import type { Paint } from '../terminal/paint.ts';
import type { CollectEvent } from './collect-event.ts';

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

import type { TrainingService } from '../../steps/index.ts';
import { LocalSession, type LocalSessionOptions } from './local-session.ts';

/** A small policy of this process, in its own thread, as a service. Its sessions end with the process, and cost nothing. */
export function localService(options: LocalSessionOptions): TrainingService {
  const open = new Map<string, LocalSession>();
  return {
    name: 'local',
    place: { directory: options.directory },
    open: ({ name }) => {
      const session = new LocalSession(options);
      open.set(name, session);
      return Promise.resolve(session);
    },
    state: ({ name }) => Promise.resolve(open.get(name)?.isStopped === false ? 'running' : 'ended'),
    stop: async ({ name }) => await open.get(name)?.stop(),
  };
}

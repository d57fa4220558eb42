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

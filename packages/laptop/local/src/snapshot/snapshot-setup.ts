/**
 * Loaded before an agent (`node --import`): plays a session of platform version V2, which is restored from a snapshot of the process. It
 * is restored at its first request. What is played, and what is not, is on the page "Sessions from a snapshot".
 */
import { isMainThread } from 'node:worker_threads';
import { onFirstRequest } from './on-first-request.ts';
import { playClocks } from './played-clocks.ts';
import { playCredentials } from './played-credentials.ts';
import { playDraws } from './played-draws.ts';
import { playIdentity } from './played-identity.ts';
import { playSockets } from './played-sockets.ts';
import type { PlaySettings } from './play-settings.ts';
import { SnapshotRecord } from './snapshot-record.ts';

const variable = 'ART_PLAYED_SNAPSHOT';
const given = process.env[variable];
if (given !== undefined) play(JSON.parse(given) as PlaySettings);

function play(settings: PlaySettings): void {
  const record = new SnapshotRecord(settings);
  const restoreDraws = playDraws(record);
  playIdentity(record);
  // A worker is never called; all that it has from before a restore is its generators.
  if (!isMainThread) return;
  const restores = [
    restoreDraws,
    playClocks(record, settings.movedMs),
    playSockets(record),
    playCredentials(record, settings.movedMs),
    // What a session starts is no part of the snapshot.
    (): void => {
      delete process.env[variable];
      const others = (process.env['NODE_OPTIONS'] ?? '').replace(`--import=${import.meta.url}`, '').trim();
      if (others === '') delete process.env['NODE_OPTIONS'];
      else process.env['NODE_OPTIONS'] = others;
    },
  ];
  onFirstRequest(settings.warmupPath, () => {
    for (const restore of restores) restore();
    record.restored();
  });
}

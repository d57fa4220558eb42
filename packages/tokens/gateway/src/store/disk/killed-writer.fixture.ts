/** A process that appends conversations as fast as it can and says on standard output what was acknowledged. */
import { conversation } from '@art/trajectories/testing';
import { DiskCaptureStore } from './disk-capture-store.ts';

const [directory = '', name = ''] = process.argv.slice(2);
const store = await DiskCaptureStore.open({ directory });
await store.createSession({ sessionId: `${name}-kept`, metadata: { name }, samplingParams: { top_k: 3 } });
process.stdout.write('ready\n');
await Promise.all(
  Array.from({ length: 8 }, async (_, lane) => {
    for (let round = 0; ; round += 1) {
      const sessionId = `${name}-${lane}-${round}`;
      for (const capture of conversation(sessionId, 4)) {
        await store.append([capture]);
        process.stdout.write(`${capture.captureId}\n`);
      }
      if (round % 3 === 2) {
        await store.deleteSessions([sessionId]);
        process.stdout.write(`deleted ${sessionId}\n`);
      }
    }
  }),
);

/** `DIRECTORY RUN_ID`: begins a group of two, tells each session as soon as it is at work, and continues until it is killed. */
import { FileJournal } from '@art/journal';
import { RolloutClient } from '@art/rollout';

const [directory, runId] = process.argv.slice(2);
const client = new RolloutClient({
  runtime: {
    isLocal: true,
    invoke: ({ sessionId }) => {
      process.send!(sessionId);
      return new Promise(() => undefined);
    },
    stop: () => Promise.resolve({ kind: 'stopped' }),
  },
});
await client
  .runGroups([{ key: 1 }], {
    rolloutsPerInput: 2,
    maxConcurrentSessions: 2,
    journal: { journal: new FileJournal({ directory: directory! }), runId: runId! },
  })
  .next();

/** The load generator in its own process, which stays warm from task to task. Ends when its parent does. */
import type { LoadTask } from './load-task.ts';
import { runLoad } from './run-load.ts';

process.on('message', (task: LoadTask) => {
  runLoad(task).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.once('disconnect', () => process.exit(0));
process.send?.({});

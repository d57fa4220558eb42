import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startMockModel } from '@art/mock-model';
import reply from './scripted-model.ts';

// `npm run try`: `art eval` on all tasks, with a script as desk, customers and judge. `npm run train`: a rehearsal of training, where the
// script plays customers and judge. Further options are passed on.
const art = fileURLToPath(new URL('main.ts', import.meta.resolve('@art/cli')));
const model = await startMockModel({ reply });
// Ctrl-C reaches art eval as well, which stops its sessions.
process.on('SIGINT', () => undefined);
const [command = 'eval', ...further] = process.argv.slice(2);
const options = {
  tasks: 'tasks.jsonl',
  env: `USER_BASE_URL=${model.baseUrl}`,
  ...(command === 'eval' && { concurrency: '4', 'base-url': model.baseUrl, 'model-id': 'script' }),
};
const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
const running = spawn(process.execPath, [art, command, 'src/agent.ts', ...flags, ...further], {
  cwd: join(import.meta.dirname, '..'),
  stdio: 'inherit',
});
process.on('SIGTERM', () => void running.kill('SIGTERM'));
const [code] = (await once(running, 'exit')) as [number | null];
await model.close();
process.exitCode = code ?? 1;

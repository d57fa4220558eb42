import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/** `art eval` of the maths agent, where a script plays the model. Further options of `art eval` come behind. */
const given = process.argv.slice(2);
const pathOf = (module: string): string => fileURLToPath(import.meta.resolve(module));
const hasModel = given.some((option) => /^--(base-url|mock-model)(=|$)/.test(option));
// A session needs a processor while it starts, and hardly one while it waits for the model.
const sessions = String(2 * availableParallelism());

const art = spawn(
  process.execPath,
  [
    fileURLToPath(new URL('main.ts', import.meta.resolve('@art/cli'))),
    'eval',
    pathOf('@art/example-math-agent/agent'),
    `--tasks=${pathOf('@art/example-quickstart/tasks')}`,
    ...(hasModel ? [] : [`--mock-model=${pathOf('@art/example-quickstart/model')}`]),
    `--concurrency=${sessions}`,
    `--warm=${sessions}`,
    ...given,
  ],
  {
    // npm and pnpm start scripts in the package's folder and say here where the user was.
    cwd: process.env['INIT_CWD'] ?? process.cwd(),
    // Also the agents run from the sources of this workspace.
    env: { ...process.env, NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --conditions=@art/source` },
    stdio: 'inherit',
  },
);
// Ctrl-C goes to both; the evaluation stops its sessions and says how to continue.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => art.kill(name));
const [code] = (await once(art, 'exit')) as [number | null];
process.exitCode = code ?? 1;

const isRead = ['--help', '-h', '--json'].some((option) => given.includes(option));
if (code === 0 && !isRead)
  process.stdout.write(`
Next:
  npm run quickstart -- --watch       the same run, with a page that shows every conversation
  npm run quickstart -- --base-url http://127.0.0.1:8000/v1 --model-id Qwen/Qwen3-8B
                                      a model of yours
  npm create @art/agent my-agent      an agent of yours: packages/internal/docs/start.md
  npm run learn                       a policy that is trained on this machine
`);

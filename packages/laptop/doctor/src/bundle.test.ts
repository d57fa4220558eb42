import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkAgent } from './check-agent.ts';
import { bundleChecks } from './checks/bundle-checks.ts';
import type { Verdict } from './finding.ts';

const commonJs = `const { createServer } = require('node:http');
createServer((_, response) => response.end('{"status":"Healthy"}')).listen(process.env.PORT);
`;
const esModule = commonJs.replace(/const (.*) = require\((.*)\)/, 'import $1 from $2');

/** Findings about a file, by check, without what is ok. */
async function checked(
  text: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Record<string, [Verdict, string]>> {
  const cwd = await mkdtemp(join(tmpdir(), 'art-doctor-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const bundle = join(cwd, 'main.js');
  await writeFile(bundle, text);
  const findings = await checkAgent({
    agent: { command: [process.execPath, bundle], cwd, bundle },
    payload: {},
    env,
    checks: bundleChecks,
  });
  return Object.fromEntries(
    findings
      .filter(({ verdict, because }) => verdict !== 'ok' && because === undefined)
      // How long a start takes is a matter of what else this machine does.
      .filter(({ id, verdict }) => id !== 'bundle.start' || verdict !== 'warning')
      .map(({ id, verdict, seen }) => [id, [verdict, seen]]),
  );
}

const fetchesCredentials = `fetch(process.env.AWS_CONTAINER_CREDENTIALS_FULL_URI).then(() => {\n${commonJs}});\n`;
/** Makes an id as request ids are made: Node keeps none in store then. */
const makesIds = `require('node:crypto').randomUUID({ disableEntropyCache: true });\n${commonJs}`;

it.each([
  ['of CommonJS', commonJs],
  ['that is an ES module', esModule],
  ['that makes ids for requests', makesIds],
])('finds nothing wrong with a bundle %s', async (_what, text) => {
  expect(await checked(text)).toEqual({});
});

it('gives no credentials of this user to an agent', async () => {
  const names = ['AWS_SESSION_TOKEN', 'AWS_PROFILE'];
  const text = `if (${JSON.stringify(names)}.some((name) => name in process.env)) process.exit(9);\n${commonJs}`;
  const env = { ...process.env, ...Object.fromEntries(names.map((name) => [name, 'mine'])) };
  expect(await checked(text, env)).toEqual({});
});

it.each([
  ['awaits at its top level', `${esModule}await 1;\n`, 'bundle.no-await', 'warning', /await/],
  [
    'makes an id while it loads',
    `import { randomUUID } from 'node:crypto';\nglobalThis.id = randomUUID();\n${esModule}`,
    'bundle.no-random',
    'warning',
    /^crypto\.randomUUID \(1 calls\)$/,
  ],
  [
    'makes a key while it loads',
    `crypto.getRandomValues(new Uint8Array(8));\n${commonJs}`,
    'bundle.no-random',
    'warning',
    /getRandomValues/,
  ],
  ['fetches credentials', fetchesCredentials, 'bundle.no-credentials', 'warning', /^1 requests/],
  [
    'loads an add-on',
    `globalThis.load = () => require('./fast.node');\n${commonJs}`,
    'bundle.no-native',
    'fault',
    /fast\.node/,
  ],
  ['is large', `${commonJs}//${'x'.repeat(11_000_000)}`, 'bundle.size', 'warning', /^11\.00 MB$/],
  [
    'reads a file beside it',
    `require('node:fs').readFileSync('tasks.jsonl');\n${commonJs}`,
    'bundle.alone',
    'fault',
    /ENOENT.*tasks\.jsonl/s,
  ],
  ['is no JavaScript', 'const = 1;', 'bundle.alone', 'fault', /Node cannot read it/],
  [
    'is compiled code that has its packages beside it',
    `import 'not-in-the-bundle';\n${esModule}`,
    'bundle.alone',
    'skipped',
    /not-in-the-bundle/,
  ],
])('finds that a bundle %s', async (_what, text, id, verdict, seen) => {
  expect(await checked(text)).toEqual({ [id]: [verdict, expect.stringMatching(seen) as string] });
});

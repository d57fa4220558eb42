import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startCheckedProcess } from './agent-process.ts';

const run = promisify(execFile);

/** How a bundle is written; undefined where Node cannot read it. */
export type BundleForm = 'CommonJS' | 'an ES module';

/** Result of a bundle that was started once, alone in an empty folder. */
export interface LoneBundle {
  form: BundleForm;
  /** From the start of its process to the first ping with status 200. */
  startMs: number;
  /** Calls that made random numbers or ids up to then: `crypto.randomUUID`. */
  random: string[];
  /** How often credentials were fetched up to then. */
  credentialRequests: number;
  /** True if it awaits at its top level, where CommonJS cannot. */
  awaitsAtTop: boolean;
}

/**
 * Loaded before the bundle: writes down who keeps something random, which a snapshot would give to every session. Not
 * `Math.random`, which packages label things with when they are loaded, and not an id that is made without Node's store of 128, as
 * servers make one for each request, the ping included. Both continue with a generator that all sessions share: the checks of two clones
 * tell of that.
 */
const spy = `const { appendFileSync } = require('node:fs');
const { join } = require('node:path');
const watch = (owner, name, isHarmless = () => false) => {
  const original = owner[name];
  owner[name] = function (...values) {
    if (!isHarmless(...values)) appendFileSync(join(__dirname, 'random.txt'), 'crypto.' + name + '\\n');
    return Reflect.apply(original, this, values);
  };
};
const crypto = require('node:crypto');
for (const name of ['randomBytes', 'randomInt', 'getRandomValues']) watch(crypto, name);
watch(crypto, 'randomUUID', (options) => options?.disableEntropyCache === true);
for (const name of ['randomUUID', 'getRandomValues']) watch(Object.getPrototypeOf(crypto.webcrypto), name);
require('node:module').syncBuiltinESMExports();
`;

/**
 * Starts a bundle as AgentCore does, with nothing beside it, and ends it after its first answer to a ping. Its folder is removed.
 * @throws Error where it is no JavaScript, or does not start, with the end of its output
 */
export async function startLoneBundle(
  file: string,
  given: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<LoneBundle> {
  // Under pnpm and others it names folders with packages, which AgentCore has not.
  const { NODE_PATH: _path, ...env } = given;
  const cwd = await mkdtemp(join(tmpdir(), 'art-bundle-'));
  const credentials = await openCredentials();
  try {
    const form = await formOf(file, cwd);
    const main = join(cwd, 'main.js');
    await copyFile(file, main);
    const type = form === 'CommonJS' ? 'commonjs' : 'module';
    await writeFile(join(cwd, 'package.json'), JSON.stringify({ type }));
    await writeFile(join(cwd, 'spy.cjs'), spy);
    const awaitsAtTop = form === 'an ES module' && (await isRefusedByRequire(main, env, signal));
    const command = [process.execPath, '--require', join(cwd, 'spy.cjs'), main];
    const agent = await startCheckedProcess(command, { ...env, ...credentials.env }, { cwd, signal });
    const credentialRequests = credentials.requests();
    const random = await readFile(join(cwd, 'random.txt'), 'utf8').catch(() => '');
    await agent.kill();
    return {
      form,
      startMs: agent.startMs,
      random: random.split('\n').filter((line) => line !== ''),
      credentialRequests,
      awaitsAtTop,
    };
  } finally {
    credentials.close();
    await rm(cwd, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function formOf(file: string, folder: string): Promise<BundleForm> {
  let message = '';
  for (const [extension, form] of [
    ['cjs', 'CommonJS'],
    ['mjs', 'an ES module'],
  ] as const) {
    const copy = join(folder, `form.${extension}`);
    await copyFile(file, copy);
    try {
      await run(process.execPath, ['--check', copy]);
      return form;
    } catch (error) {
      message = (error as { stderr?: string }).stderr ?? String(error);
    } finally {
      await rm(copy);
    }
  }
  throw new Error(`Node cannot read it: ${message.trim().slice(0, 500)}`);
}

/** Node looks before it runs anything whether a module that is required awaits at its top level. */
async function isRefusedByRequire(
  main: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<boolean> {
  const command = [process.execPath, '--eval', `require(${JSON.stringify(main)})`];
  try {
    const agent = await startCheckedProcess(command, env, { cwd: join(main, '..'), signal });
    await agent.kill();
    return false;
  } catch (error) {
    signal.throwIfAborted();
    return (error as Error).message.includes('ERR_REQUIRE_ASYNC_MODULE');
  }
}

/** Where the SDKs of AWS fetch credentials in a container: in an environment that has none. */
async function openCredentials(): Promise<{
  env: NodeJS.ProcessEnv;
  requests: () => number;
  close: () => void;
}> {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.setHeader('content-type', 'application/json');
    const Expiration = new Date(Date.now() + 3_600_000).toISOString();
    response.end(
      JSON.stringify({ AccessKeyId: 'doctor', SecretAccessKey: 'doctor', Token: 'doctor', Expiration }),
    );
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `http://127.0.0.1:${port}/credentials`,
      AWS_ACCESS_KEY_ID: undefined,
      AWS_SECRET_ACCESS_KEY: undefined,
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    requests: () => requests,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

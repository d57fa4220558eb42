import { describeThrown } from '@art/ground';
import { readFile, stat } from 'node:fs/promises';
import { type AgentCheck, lookAt } from '../agent-check.ts';
import { fault, must, ok, skipped, warning } from '../finding.ts';

const megabyte = 1_000_000;
/** Most bytes of code that is unpacked. AWS: bedrock-agentcore-limits. */
const mostBytes = 750 * megabyte;
const manyBytes = 10 * megabyte;

/** Traces of an add-on that esbuild and others leave: a call that loads one, or a file of one that is asked for. */
const nativeParts = /process\.dlopen\(|\brequire\((["'])[^"'\n]*\.node\1\)/;

const ofBundle = lookAt((room) => room.loneBundle());

/** An agent in one file, as AgentCore's direct deployment of code runs it. */
export const bundleChecks: readonly AgentCheck[] = [
  {
    id: 'bundle.alone',
    title: 'starts alone in an empty folder, and answers a ping within 30 s',
    why: 'The file is all that is deployed: packages and files beside it are not there.',
    todo: 'Import packages with static imports, so that the bundler sees them, and data as JSON modules or from S3.',
    run: async (room) => {
      try {
        return ok(`${(await room.loneBundle()).form}, started`);
      } catch (error) {
        const message = describeThrown(error).message;
        // Compiled code that keeps its imports is right in a container, which brings the packages along.
        const missing = /Cannot find (?:package|module) '([^'./][^']*)'/.exec(message)?.[1];
        return missing === undefined
          ? fault(message)
          : skipped(`It looks for ${missing}, which is not in it, and so is no bundle.`);
      }
    },
  },
  {
    id: 'bundle.no-await',
    title: 'does not await at its top level',
    why: "AWS's bundler makes CommonJS, which cannot, and refuses the agent.",
    todo: 'Write "void app.run();", and put what else is awaited into a function.',
    after: 'bundle.alone',
    run: ofBundle(({ form, awaitsAtTop }) =>
      awaitsAtTop ? warning('There is an await outside of every function.') : ok(form),
    ),
  },
  {
    id: 'bundle.start',
    title: 'answers its first ping within 3 s',
    why: 'Every rollout starts a session, so every rollout waits for it. AgentCore gives up after 30 s.',
    todo: 'Load what is seldom used when it is used, and leave out packages that one function is taken of.',
    after: 'bundle.alone',
    run: ofBundle(({ startMs }) => {
      const shown = `first healthy ping after ${startMs.toFixed(0)} ms`;
      return startMs < 3_000 ? ok(shown) : warning(shown);
    }),
  },
  {
    id: 'bundle.size',
    title: 'is small',
    why: 'It is fetched and read at the start of every session.',
    todo: 'Look with "esbuild --analyze" at what is in it.',
    after: 'bundle.alone',
    run: async (room) => {
      const { size } = await stat(room.bundle!);
      const shown = `${(size / megabyte).toFixed(2)} MB`;
      if (size > manyBytes && size <= mostBytes) return warning(shown);
      return must(size <= mostBytes, shown);
    },
  },
  {
    id: 'bundle.no-native',
    title: 'loads no native add-ons',
    why: 'An add-on of this machine is not there, and is not for the ARM64 of AgentCore.',
    todo: 'Take a package without one, or deploy a container.',
    after: 'bundle.alone',
    run: async (room) => {
      const found = nativeParts.exec(await readFile(room.bundle!, 'utf8'))?.[0];
      return must(found === undefined, found ?? 'none');
    },
  },
  {
    id: 'bundle.no-random',
    title: 'makes nothing random before its first ping',
    why: 'AgentCore may start many sessions from one snapshot of the loaded agent: they all would have the same ids.',
    todo: 'Make ids and seeds in the handler.',
    after: 'bundle.alone',
    run: ofBundle(({ random }) =>
      random.length === 0
        ? ok('nothing')
        : warning(`${[...new Set(random)].join(', ')} (${random.length} calls)`),
    ),
  },
  {
    id: 'bundle.no-credentials',
    title: 'fetches no credentials before its first ping',
    why: 'They are old when a snapshot of the loaded agent is started.',
    todo: 'Make clients of AWS when the first request needs them.',
    after: 'bundle.alone',
    run: ofBundle(({ credentialRequests }) =>
      credentialRequests === 0 ? ok('none') : warning(`${credentialRequests} requests for credentials`),
    ),
  },
];

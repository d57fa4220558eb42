import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Deployment } from '@art/deploy';
import {
  addressCheck,
  agentChecks,
  bundleChecks,
  checkAgent,
  checkDockerfile,
  type Finding,
  notesTrail,
  type RolloutTrail,
  trailDifference,
  unreachedBy,
} from '@art/doctor';
import { agentCommand } from '@art/local';
import type { CliContext } from '../cli-context.ts';
import { bundleAgent } from './bundle-agent.ts';

const bundled = {
  id: 'bundle.made',
  title: "can be bundled in the way of AWS's CLI",
  why: 'It makes one file of CommonJS of the agent, without packages beside it, and AWS runs that.',
  todo: 'Mend the place that is named. Instead of a top-level await write "void main();". An agent that cannot do without deploys with --build container.',
};

const answered = {
  id: 'deploy.answers',
  title: 'answers a rollout as it will be deployed, with a script as its model',
  why: 'What starts may still lack a file, a program or a package when the first request comes.',
  todo: 'Import what the handler needs, data too, so that the bundler sees it: nothing else is deployed. Or deploy with --build container. Give a request that the agent understands with --payload.',
};

/** Checks of what a rollout must come to. The doctor examines whether an agent does more that is right. */
const rolloutChecks = new Set(
  'accepts result-key stored document stream-result status-code'.split(' ').map((name) => `rollout.${name}`),
);
const ofRollout = agentChecks.filter(({ id }) => rolloutChecks.has(id));

/**
 * Checks that the agent starts and answers as it will be deployed: its bundle, alone, or as the Dockerfile starts it; and what the
 * Dockerfile says. Leaves nothing behind.
 * @param payload a request that the agent can answer
 */
export async function checkDeployment(
  deployment: Deployment,
  { cwd, env, payload }: Pick<CliContext, 'cwd' | 'env'> & { payload: Readonly<Record<string, unknown>> },
  signal: AbortSignal,
  onFinding: (finding: Finding) => void,
): Promise<Finding[]> {
  const own = {
    payload,
    env: { ...env, NODE_ENV: 'production' },
    signal,
    agent: { command: ownCommand(deployment.agent, cwd), cwd },
  };
  const address = addressFinding(deployment);
  onFinding(address);
  if (address.verdict === 'fault') return [address];
  if (deployment.build === 'Container') {
    const image = {
      ...own,
      agent: { command: [process.execPath, ...process.execArgv, ...deployment.nodeWords], cwd },
    };
    const findings = await checkedImage(deployment, cwd);
    findings.forEach(onFinding);
    const checks = agentChecks.filter(({ id }) => id.startsWith('start.'));
    const started = (
      await checkAgent({ ...image, checks, onFinding: (told) => onFinding(asInImage(told)) })
    ).map(asInImage);
    if (started.some(({ verdict }) => verdict === 'fault')) return [...findings, ...started];
    const answer = await problemOfRollout(image);
    const finding = answerFinding(answer === undefined ? undefined : { verdict: 'warning', seen: answer });
    onFinding(finding);
    return [...findings, ...started, finding];
  }
  const shared = { payload, env, signal, onFinding };
  const folder = await mkdtemp(join(tmpdir(), 'art-deploy-'));
  try {
    const { agent, codeLocation } = deployment;
    const made = await bundleAgent({ cwd, agent, codeLocation, folder, conditions: ownConditions() });
    const seen = 'faults' in made ? made.faults : made.warnings;
    const verdict = 'faults' in made ? 'fault' : seen.length > 0 ? 'warning' : 'ok';
    const finding: Finding = { ...bundled, verdict, seen: seen.join('\n') || 'yes' };
    onFinding(finding);
    if ('faults' in made) return [finding];
    const command = [process.execPath, made.file];
    const agentOfBundle = { command, cwd: folder, bundle: made.file };
    const bundle = (
      await checkAgent({
        ...shared,
        agent: agentOfBundle,
        checks: bundleChecks,
        onFinding: (told) => onFinding(asBundle(told)),
      })
    ).map(asBundle);
    if (bundle.some(({ verdict }) => verdict === 'fault')) return [finding, ...bundle];
    const answer = answerFinding(await problemOfBundle({ ...own, agent: agentOfBundle }, own));
    onFinding(answer);
    return [finding, ...bundle, answer];
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** On this machine `art` finds `tools.ts` by the name `tools.js`; an image has Node alone. */
function asInImage(finding: Finding): Finding {
  const isNamedAsCompiled = /Cannot find module '[^']+' imported from/.test(finding.seen);
  if (finding.verdict !== 'fault' || !isNamedAsCompiled) return finding;
  const todo =
    'Where only "tools.ts" is there, Node alone finds no "./tools.js" and no "./tools". Run "npm install tsx": the image then loads the files by that. Or deploy one file, by --build codezip.';
  return { ...finding, todo };
}

/** As `art dev` starts it, under the conditions of this process. */
function ownCommand(agent: string, cwd: string): string[] {
  const [node = process.execPath, ...words] = [agentCommand([agent], cwd)].flat();
  return [node, ...process.execArgv, ...words];
}

type Tried = Parameters<typeof checkAgent>[0];

/** The finding about the port and address that the files give the agent. */
function addressFinding({ address }: Deployment): Finding {
  const found = unreachedBy(address.variables, address);
  return {
    ...addressCheck,
    id: 'deploy.address',
    verdict: found.length === 0 ? 'ok' : 'fault',
    seen: found.length === 0 ? `port ${address.port}` : found.join('\n'),
  };
}

/** The problem of a rollout; undefined where there is none. */
async function problemOfRollout(
  agent: Tried,
  note: (trail: RolloutTrail) => void = () => undefined,
): Promise<string | undefined> {
  const findings = await checkAgent({ ...agent, checks: [...ofRollout, notesTrail(note)] });
  const problem = findings.find(({ verdict }) => verdict !== 'ok');
  return problem?.because === 'production.answers' ? 'It does not take this request.' : problem?.seen;
}

/**
 * Only what the agent itself can do is expected of its bundle: where both fail, the request may be one that the agent does not know, or
 * its model one that a script cannot play.
 */
async function problemOfBundle(
  bundle: Tried,
  own: Tried,
): Promise<Pick<Finding, 'verdict' | 'seen'> | undefined> {
  let trail: RolloutTrail | undefined;
  const ofBundle = await problemOfRollout(bundle, (seen) => (trail = seen));
  if (ofBundle === undefined) return trail && differenceFrom(own, trail);
  const ofOwn = await problemOfRollout(own);
  return ofOwn === undefined
    ? { verdict: 'fault', seen: `${ofBundle} The agent that is not bundled answers.` }
    : { verdict: 'warning', seen: ofBundle };
}

/**
 * The difference between a bundle and the agent that it is made of: such as a file that is looked for in the working directory, and missed in
 * silence. An agent that differs from itself, by the time or by chance, is not compared.
 */
async function differenceFrom(
  own: Tried,
  ofBundle: RolloutTrail,
): Promise<Pick<Finding, 'verdict' | 'seen'> | undefined> {
  const trails: RolloutTrail[] = [];
  const note = (trail: RolloutTrail): number => trails.push(trail);
  if ((await problemOfRollout(own, note)) !== undefined) return undefined;
  const difference = trailDifference(trails[0]!, ofBundle);
  if (difference === undefined) return undefined;
  if ((await problemOfRollout(own, note)) !== undefined) return undefined;
  if (trailDifference(trails[0]!, trails[1]!) !== undefined) return undefined;
  const { what, ofSources, ofBundle: bundled } = difference;
  return {
    verdict: 'warning',
    seen: `The bundle answers otherwise than the agent that is not bundled: ${what}.\nagent:  ${ofSources}\nbundle: ${bundled}`,
  };
}

function answerFinding(problem: Pick<Finding, 'verdict' | 'seen'> | undefined): Finding {
  return { ...answered, verdict: 'ok', seen: 'status_code 200', ...problem };
}

async function checkedImage({ files, address }: Deployment, cwd: string): Promise<Finding[]> {
  const textOf = async (path: string): Promise<string | undefined> =>
    files.find((file) => file.path === path)?.text ??
    (await readFile(join(cwd, path), 'utf8').catch(() => undefined));
  const dockerfile = await textOf('Dockerfile');
  const dockerignore = await textOf('.dockerignore');
  return dockerfile === undefined ? [] : checkDockerfile({ dockerfile, dockerignore, runtime: address });
}

/** The doctor takes a file that looks for a package for compiled code of another kind. This one is a bundle. */
function asBundle(finding: Finding): Finding {
  if (finding.id !== 'bundle.alone' || finding.verdict !== 'skipped') return finding;
  return { ...finding, verdict: 'fault', seen: `${finding.seen} The bundler did not see that import.` };
}

/** Under which conditions this process finds packages: what it bundles finds the same ones. */
function ownConditions(): string[] {
  const words = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(' ')];
  return words.flatMap((word) => /^--conditions=(.+)$/.exec(word)?.[1] ?? []);
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Deployment } from '@art/deploy';
import { agentChecks, bundleChecks, checkAgent, type Finding } from '@art/doctor';
import type { CliContext } from '../cli-context.ts';
import { bundleAgent } from './bundle-agent.ts';

const bundled = {
  id: 'bundle.made',
  title: "can be bundled in the way of AWS's CLI",
  why: 'It makes one file of CommonJS of the agent, without packages beside it, and AWS runs that.',
  todo: 'Mend the place that is named. Instead of a top-level await write "void main();". An agent that cannot do without deploys with --build container.',
};

/** How the agent starts as it will be deployed: its bundle once, alone, or as the Dockerfile starts it. Leaves nothing behind. */
export async function checkDeployment(
  deployment: Deployment,
  { cwd, env }: Pick<CliContext, 'cwd' | 'env'>,
  signal: AbortSignal,
  onFinding: (finding: Finding) => void,
): Promise<Finding[]> {
  const shared = { payload: {}, env, signal, onFinding };
  if (deployment.build === 'Container') {
    const command = [process.execPath, ...process.execArgv, ...deployment.nodeWords];
    const checks = agentChecks.filter(({ id }) => id.startsWith('start.'));
    const findings = await checkAgent({
      ...shared,
      agent: { command, cwd },
      checks,
      env: { ...env, NODE_ENV: 'production' },
      onFinding: (told) => onFinding(asInImage(told)),
    });
    return findings.map(asInImage);
  }
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
    const bundle = await checkAgent({
      ...shared,
      agent: { command, cwd: folder, bundle: made.file },
      checks: bundleChecks,
      onFinding: (told) => onFinding(asBundle(told)),
    });
    return [finding, ...bundle.map(asBundle)];
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

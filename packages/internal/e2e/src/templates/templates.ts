import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Framework, frameworks } from '@art/create-agent';
import { workspaceRoot } from '../readmes/readme.ts';
import { installOldestNode } from './oldest-node.ts';
import { servePackages } from './package-registry.ts';
import { type TemplateReport, tryTemplate } from './try-template.ts';

// The packages have been built. See package.json, `templates`: every template, or those that are named, installed from packed packages.
const given = process.argv.slice(2);
const chosen = frameworks.filter((name) => given.length === 0 || given.includes(name));
const unknown = given.filter((name) => !frameworks.includes(name as Framework));
if (unknown.length > 0) throw new Error(`Expected ${frameworks.join(', ')}, got ${unknown.join(', ')}.`);

await using stack = new AsyncDisposableStack();
const root = await mkdtemp(join(tmpdir(), 'art-templates-'));
stack.defer(() => rm(root, { recursive: true, force: true, maxRetries: 10 }));
// npx takes what it has of a version; here one version has many contents.
const cache = join(workspaceRoot, 'node_modules/.cache/art-npm');
await rm(join(cache, '_npx'), { recursive: true, force: true });
const tarballs = join(root, 'packages');
await mkdir(tarballs);
const registry = stack.use(await servePackages(workspaceRoot, tarballs));
const nodeFolder = await installOldestNode(join(root, 'node'), cache);

const seconds = (ms: number): string => `${(ms / 1000).toFixed(0)} s`;
const row = (...cells: string[]): void =>
  console.log(
    cells
      .map((cell) => cell.padEnd(17))
      .join('')
      .trimEnd(),
  );
row('framework', 'to table', 'of it install', 'size', 'mean', 'outcomes', 'calls', 'doctor');
let failed = 0;
for (const framework of chosen) {
  try {
    tell(await tryTemplate(framework, root, { registry: registry.url, cache, nodeFolder }));
  } catch (error) {
    failed += 1;
    const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string };
    console.log(`${framework} FAILED: ${message}\n${stdout}\n${stderr}`);
  }
}
process.exitCode = failed === 0 ? 0 : 1;

function tell(report: TemplateReport): void {
  const { framework, installedBytes, meanReward, solved, faults, warnings, modelCalls } = report;
  row(
    framework,
    seconds(report.toTableMs),
    seconds(report.installMs),
    `${(installedBytes / 1e6).toFixed(0)} MB`,
    String(meanReward),
    solved,
    String(modelCalls),
    [`${faults.length} faults`, ...faults, `${warnings.length} warnings`, ...warnings].join(' '),
  );
  if (meanReward !== 0.8 || faults.length > 0) failed += 1;
}

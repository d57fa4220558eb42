import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { frameworks } from './src/frameworks.ts';
import type { Template, Templates } from './src/templates.ts';

const workspace = join(import.meta.dirname, '../../..');
/** The SDK starts its own program, which is in no bundle. */
const containers: readonly string[] = ['claude-agent-sdk'];
const copied = ['agent.ts', 'reward.ts', 'tasks.jsonl', 'model.ts'];

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** The examples, as the templates of new projects: their files, and the versions that they were tested with. */
export async function readTemplates(): Promise<Templates> {
  const read = frameworks.map(async (name) => [name, await readTemplate(name)]);
  return Object.fromEntries(await Promise.all(read)) as Templates;
}

async function readTemplate(name: string): Promise<Template> {
  const folder = join(workspace, 'examples', name);
  const manifest = await readManifest(folder);
  const files = copied.map(async (path) => [path, await readFile(join(folder, path), 'utf8')]);
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  const [, title] = /^# The maths agent on (.+)\n/.exec(readme)!;
  const [notes] = /## The line for the endpoint\n[\s\S]*?(?=\n## Run it\n)/.exec(readme)!;
  const { version } = await readManifest(join(workspace, 'packages/command/create-agent'));
  return {
    title: title!,
    build: containers.includes(name) ? 'Container' : 'CodeZip',
    notes,
    files: Object.fromEntries(await Promise.all(files)) as Record<string, string>,
    dependencies: await exactVersions(folder, manifest.dependencies),
    devDependencies: {
      '@art/cli': version,
      ...(await exactVersions(folder, manifest.devDependencies)),
    },
  };
}

async function exactVersions(
  folder: string,
  dependencies: Record<string, string>,
): Promise<Record<string, string>> {
  const versions = Object.keys(dependencies).map(async (name) => {
    const { version } = await readManifest(join(folder, 'node_modules', name));
    return [name, version];
  });
  return Object.fromEntries(await Promise.all(versions)) as Record<string, string>;
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
}

import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * `npm install [--save-dev] [NAME...]`, for the pages' test: links what is named, or what package.json lists, from this
 * workspace. Nothing else gets into node_modules, so a page that forgets a package fails.
 */
interface Manifest {
  bin?: string | Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const workspaceRoot = resolve(import.meta.dirname, '../../../../..');

function folderOf(name: string): string {
  const [folder] = globSync(`packages/*/${name.slice('@art/'.length)}`, { cwd: workspaceRoot });
  if (folder === undefined) throw new Error(`No package of this workspace is ${name}.`);
  return join(workspaceRoot, folder);
}

const [, ...words] = process.argv.slice(2);
const manifest: Manifest = existsSync('package.json') ? read('package.json') : {};
const named = words.filter((word) => !word.startsWith('-')).map((word) => word.replace(/(?<=.)@.*$/, ''));
const kind = words.some((word) => word === '--save-dev' || word === '-D')
  ? 'devDependencies'
  : 'dependencies';
for (const name of named) manifest[kind] = { ...manifest[kind], [name]: '*' };
writeFileSync('package.json', `${JSON.stringify(manifest, undefined, 2)}\n`);
for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) link(name);

function link(name: string): void {
  const source = name.startsWith('@art/')
    ? folderOf(name)
    : join(workspaceRoot, 'node_modules/.pnpm/node_modules', name);
  if (!existsSync(source))
    throw new Error(`No package of this workspace uses ${name}: mark the block with why it is not run.`);
  const target = join('node_modules', name);
  replace(target, () => symlinkSync(realpathSync(source), target));
  const { bin = {} } = read(join(source, 'package.json'));
  for (const [command, path] of Object.entries(typeof bin === 'string' ? { [name]: bin } : bin)) {
    // Packages of this workspace need not be built for tests.
    const file = join(
      realpathSync(source),
      name.startsWith('@art/') ? path.replace(/dist\/(.*)\.js$/, 'src/$1.ts') : path,
    );
    const place = join('node_modules/.bin', command);
    replace(place, () => writeFileSync(place, `#!/bin/sh\nexec node '${file}' "$@"\n`));
    chmodSync(place, 0o755);
  }
}

function replace(path: string, put: () => void): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  put();
}

function read(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}

import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { type Manifest, workspacePackages, workspaceRoot } from '../workspace-packages.ts';

const own = 'packages/internal/e2e/';
const manifestFile = 'package.json';
const code = new Set(['.ts', '.tsx', '.mjs', '.py']);

/**
 * Finds the files that tests read, from file to file: each literal of the code that names a module of the workspace, or a file or
 * folder that is there, beside the code or below the root. So an import counts, static or not, and so does the agent that a test
 * starts as a process. Imports of types do not: nothing is loaded for them.
 * @param files from the root of the workspace
 * @returns files, folders and patterns, from the root of the workspace; those of `files` are among them
 */
export function readClosure(files: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const open = [...files];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    if (isPattern(file)) continue;
    if (code.has(extname(file)) || basename(file) === manifestFile) open.push(...namedBy(file));
    else if (statSync(join(workspaceRoot, file)).isDirectory()) open.push(...codeIn(file));
  }
  return seen;
}

/** The code below a folder, and its scripts; a test that names an example may start all of it. */
function codeIn(folder: string): string[] {
  return globSync(`${folder}/**/*`, {
    cwd: workspaceRoot,
    exclude: ['**/node_modules/**', '**/dist/**'],
  }).filter(
    (file) => (code.has(extname(file)) || basename(file) === manifestFile) && !/\.test\.tsx?$/.test(file),
  );
}

function namedBy(file: string): string[] {
  const written = readFileSync(join(workspaceRoot, file), 'utf8');
  // The dependencies of an example are what its code imports.
  if (basename(file) === manifestFile)
    return [...written.matchAll(/[\w./-]+\.(?:[cm]?[jt]s|py)\b/g)].flatMap(
      ([word]) => placeOf(word, file) ?? [],
    );
  const text = written
    // Comments have their own lines; the signs of one within a line belong to a pattern.
    .replaceAll(/^\s*\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    .replaceAll(/^(?:import|export) type [^;]*? from '[^'\n]+';$/gm, '');
  return [...text.matchAll(/(['"`])([^'"`\s]+)\1/g)].flatMap(
    ([, , literal = '']) => placeOf(literal, file) ?? [],
  );
}

/** True of a pattern for files of the whole workspace. */
export function isPattern(place: string): boolean {
  return /^(?:\{?(?:packages|examples)\b|\*\/\*\/src).*\*/.test(place);
}

/** The file or folder that a literal names, if it does. */
function placeOf(literal: string, file: string): string | undefined {
  const [, name, entry = ''] = /^@art\/([^/]+)(.*)$/.exec(literal) ?? [];
  if (name !== undefined) return moduleOf(name, entry);
  if (file.startsWith(own) && literal === 'examples') return literal;
  if (file.startsWith(own) && isPattern(literal)) return literal;
  if (!/[./]/.test(literal) || literal.startsWith('/') || /^[./]+$/.test(literal)) return undefined;
  const bases = [dirname(join(workspaceRoot, file)), workspaceRoot];
  const found = bases.map((base) => resolve(base, literal)).find((path) => existsSync(path));
  if (found === undefined || found.includes('/node_modules/')) return undefined;
  const place = relative(workspaceRoot, found);
  return /^(?:packages\/[^/]+|examples)\/[^/]+/.test(place) ? place : undefined;
}

function moduleOf(name: string, entry: string): string | undefined {
  const example = name.replace(/^example-/, 'examples/');
  const folder = example === name ? workspacePackages.get(name)?.path : example;
  if (folder === undefined || !existsSync(join(workspaceRoot, folder, 'package.json'))) return undefined;
  const { exports = {} } = JSON.parse(
    readFileSync(join(workspaceRoot, folder, 'package.json'), 'utf8'),
  ) as Manifest;
  const target = exports[`.${entry}`];
  if (target !== undefined) return join(folder, typeof target === 'string' ? target : target['@art/source']!);
  // An entry whose name is made while the test runs.
  return example === name ? undefined : folder;
}

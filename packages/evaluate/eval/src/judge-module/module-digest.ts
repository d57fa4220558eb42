import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { basename, dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const mostFiles = 500;
const imported = /\b(?:from|import)\s*\(?\s*(['"])([^'"\n]+)\1/g;

const environment = /\bprocess\.env(?:\.(\w+)|\[\s*['"`](\w+)['"`]\s*\])|\{([\w\s,:]+)\}\s*=\s*process\.env/g;

/** The marks of a version of a module. */
interface ModuleDigest {
  /** With a digest of its text, of the files that it imports, and of the versions of the packages: `reward.ts 3f9a1c...` */
  name: string;
  /** Variables of the environment that these files name, in order. */
  variables: string[];
}

export async function digestOfModule(file: string): Promise<ModuleDigest> {
  const variables = new Set<string>();
  const hash = createHash('sha256');
  const files = new Set([file]);
  for (const path of files) {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    hash.update(`${text.length} ${text}\n`);
    for (const [, member, quoted, several = ''] of text.matchAll(environment))
      for (const name of [member, quoted, ...several.split(',')])
        if (name !== undefined && name.trim() !== '') variables.add(name.split(':')[0]!.trim());
    for (const [, , specifier = ''] of text.matchAll(imported)) {
      if (/^\.{0,2}\//.test(specifier)) {
        if (files.size < mostFiles) files.add(resolve(dirname(path), specifier));
      } else hash.update(`${specifier} ${await versionOf(specifier, path)}\n`);
    }
  }
  return {
    name: `${basename(file)} ${hash.digest('hex').slice(0, 16)}`,
    variables: [...variables].toSorted(),
  };
}

/** Version of the package that a module would get; empty for a module of Node and for what is not there. */
async function versionOf(specifier: string, from: string): Promise<string> {
  try {
    const path = findPackageJSON(specifier, pathToFileURL(from));
    if (path === undefined) return '';
    const { version } = JSON.parse(await readFile(path, 'utf8')) as { version?: unknown };
    return typeof version === 'string' ? version : '';
  } catch {
    return '';
  }
}

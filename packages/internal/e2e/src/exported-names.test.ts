import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { workspaceRoot } from './readmes/readme.ts';

/** Names that several published packages export for themselves, and why a reader is not misled. */
const allowed: Record<string, string> = {
  AgentCoreRLApp: "that of `agent` is the server's, with results in S3 unless it is told otherwise",
  RolloutClient: "that of `client` is rollout's, with AgentCore and S3 unless it is told otherwise",
  RolloutClientOptions: 'the options of those two classes',
  whySkipped: 'the same question of two conformance suites, each about its own checks',
};

interface Manifest {
  name: string;
  private?: boolean;
  exports?: Record<string, string | Record<string, string>>;
}

it('a name that a package exports means one thing in the workspace', () => {
  const owners = new Map<string, Set<string>>();
  for (const path of globSync('packages/*/*/package.json', { cwd: workspaceRoot })) {
    const manifest = JSON.parse(readFileSync(join(workspaceRoot, path), 'utf8')) as Manifest;
    if (manifest.private === true) continue;
    for (const entry of Object.values(manifest.exports ?? {})) {
      const source = typeof entry === 'string' ? undefined : entry['@art/source'];
      if (source === undefined || !/\.tsx?$/.test(source)) continue;
      for (const name of ownNames(join(workspaceRoot, dirname(path), source)))
        owners.set(name, (owners.get(name) ?? new Set()).add(manifest.name));
    }
  }
  expect(owners.size).toBeGreaterThan(500);
  const shared = [...owners].filter(([, packages]) => packages.size > 1).map(([name]) => name);
  const surprising = shared
    .filter((name) => !(name in allowed))
    .map((name) => `${name}: ${[...owners.get(name)!].join(', ')}`);
  // Rename one of each, or re-export it.
  expect(surprising).toEqual([]);
  expect(Object.keys(allowed).filter((name) => !shared.includes(name))).toEqual([]);
});

/** What an index gives out that the package itself declares; what it passes on of another package has its owner there. */
function ownNames(path: string): string[] {
  const text = readFileSync(path, 'utf8').replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
  const lists = text.matchAll(/^export\s+(?:type\s+)?\{([^}]*)\}(?:\s*from\s*'([^']+)')?/gm);
  const listed = [...lists].flatMap(([, names, from]) =>
    from?.startsWith('.') === false ? [] : names!.split(',').map((name) => name.trim().split(' ').at(-1)!),
  );
  const declared = text.matchAll(
    /^export\s+(?:declare\s+|abstract\s+|async\s+)*(?:function\*?|const|let|class|interface|type|enum)\s+(\w+)/gm,
  );
  expect(text).not.toMatch(/^export\s+\*/m);
  return [...listed, ...Array.from(declared, ([, name]) => name!)].filter((name) => name !== '');
}

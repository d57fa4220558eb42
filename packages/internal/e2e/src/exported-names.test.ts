import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workspacePackages, workspaceRoot } from './workspace-packages.ts';

/** Names that several modules export, and why a reader is not misled. */
const allowed: Record<string, string> = {
  AgentCoreRLApp: "that of `agent` is the server's, with results in S3 unless it is told otherwise",
  RolloutClient: "that of `client` is rollout's, with AgentCore and S3 unless it is told otherwise",
  RolloutClientOptions: 'the options of those two classes',
  errorCodes: 'one table a package; the page of all codes is made of them',
};

it('a name that a module exports means one thing in the workspace', () => {
  const owners = namesByFile();
  expect(owners.size).toBeGreaterThan(2_000);
  const shared = [...owners].filter(([, files]) => files.length > 1);
  // Rename one of each.
  expect(shared.filter(([name]) => !(name in allowed)).map(([name, files]) => [name, ...files])).toEqual([]);
  expect(Object.keys(allowed).filter((name) => !shared.some(([known]) => known === name))).toEqual([]);
});

it("trace is OpenTelemetry's word: a recorded call of a model is a capture", () => {
  const named = [...namesByFile()].flatMap(([name, files]) => (/trace(?!back)/i.test(name) ? files : []));
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((file) => !/\/telemetry\/|rollout\/rollout-config\.ts$/.test(file))).toEqual([]);
});

/** The files that declare each exported name of the published packages. */
function namesByFile(): Map<string, string[]> {
  const owners = new Map<string, string[]>();
  for (const { path, wing } of workspacePackages.values()) {
    if (wing === 'internal') continue;
    for (const file of globSync(`${path}/src/**/*.{ts,tsx}`, { cwd: workspaceRoot })) {
      if (/\.(test|fixture|engine|peer)\.tsx?$/.test(file)) continue;
      for (const name of new Set(ownNames(readFileSync(join(workspaceRoot, file), 'utf8'))))
        owners.set(name, [...(owners.get(name) ?? []), file]);
    }
  }
  return owners;
}

it('finds the names that a module declares, and not those that it passes on', () => {
  const text = `
/** export const inComment = 1; */
export const a = 1;
export async function b() {}
export abstract class C {}
export type { D } from './d.ts';
export interface E {}
`;
  expect(ownNames(text)).toEqual(['a', 'b', 'C', 'E']);
});

/** The names that a module declares and exports. */
function ownNames(text: string): string[] {
  const code = text.replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '');
  const declared = code.matchAll(
    /^export\s+(?:declare\s+|abstract\s+|async\s+)*(?:function\*?|const|let|class|interface|type|enum)\s+(\w+)/gm,
  );
  return Array.from(declared, ([, name]) => name!);
}

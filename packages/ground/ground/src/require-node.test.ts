import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const script = join(import.meta.dirname, 'require-node.ts');

/** Loads the check in a Node that says that it is of this version. */
function load(version: string): { status: number | null; said: string } {
  const pretend = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', pretend, script], {
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

it.each(['18.20.8', '20.20.2', '22.18.9'])('Node %s is told in one line what is needed', (version) => {
  const { status, said } = load(version);
  expect(status).toBe(1);
  expect(said).toMatch(/^ART needs Node 22\.19 or newer, this is [^\n]+\n$/);
  expect(said).toContain(version);
});

it.each(['22.19.0', '24.0.0', '26.1.0'])('Node %s is not told anything', (version) => {
  expect(load(version)).toEqual({ status: 0, said: '' });
});

it('asks for what the manifest asks for', () => {
  const manifest = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../protocol/package.json'), 'utf8'),
  ) as {
    engines: { node: string };
  };
  expect(load('0.0.0').said).toContain(`Node ${manifest.engines.node.replace('>=', '')} or newer`);
});

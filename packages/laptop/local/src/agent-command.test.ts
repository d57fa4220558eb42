import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './temporary-folder.fixture.ts';
import { agentCommand } from './agent-command.ts';

async function folderWith(...names: string[]): Promise<string> {
  const folder = await temporaryFolder();
  for (const name of names) await writeFile(join(folder, name), '');
  return folder;
}

describe('agentCommand', () => {
  it.each(['agent.js', 'agent.mjs', 'my agent.cjs'])('runs %s with this Node', async (name) => {
    const folder = await folderWith(name);
    expect(agentCommand([name, '--fast'], folder)).toEqual([process.execPath, join(folder, name), '--fast']);
  });

  it('runs TypeScript with this Node, whatever its imports are called', async () => {
    const folder = await folderWith();
    const files: Record<string, string> = {
      'package.json': '{"type":"module","imports":{"#deep/*":"./lib/*.js"}}',
      'agent.ts': `
        import { compiled } from './compiled.js';
        import both from './both.js';
        import { esm } from './esm.mjs';
        import { bare } from './bare';
        import { folder } from './lib';
        import { deep } from '#deep/deep';
        import { required } from './required.cjs';
        const later: { later: string } = await import(new URL('./later.js', import.meta.url).href);
        const missing = await import('./nowhere.js' as string).catch((error: Error) => error.message);
        const said: string[] = [compiled, both, esm, bare, folder, deep, required, later.later, missing];
        console.log(JSON.stringify(said), process.argv.slice(2));
      `,
      'compiled.ts': 'export const compiled: string = "compiled";',
      'both.ts': 'export default "the wrong one";',
      'both.js': 'export default "both";',
      'esm.mts': 'export const esm: string = "esm";',
      'bare.ts': 'export const bare: string = "bare";',
      'later.ts': 'export const later: string = "later";',
      'lib/index.ts': 'export const folder: string = "folder";',
      'lib/deep.ts': 'export const deep: string = "deep";',
      'required.cts': 'exports.required = require("./required-too.cjs").too as string;',
      'required-too.cts': 'exports.too = "required" as string;',
    };
    await mkdir(join(folder, 'lib'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const [node, ...words] = agentCommand(['agent.ts', '--fast'], folder) as string[];
    const { stdout } = await promisify(execFile)(node!, words, { cwd: folder });
    expect(stdout).toBe(
      `${JSON.stringify(['compiled', 'both', 'esm', 'bare', 'folder', 'deep', 'required', 'later']).slice(
        0,
        -1,
      )},"Cannot find module '${folder}/nowhere.js' imported from ${folder}/agent.ts"] [ '--fast' ]\n`,
    );
  });

  it('gives one text to the shell and several words to no shell', async () => {
    const folder = await folderWith('agent.js');
    expect(agentCommand(['node agent.js'], folder)).toBe('node agent.js');
    expect(agentCommand(['node', 'agent.js'], folder)).toEqual(['node', 'agent.js']);
    expect(agentCommand(['uvicorn'], folder)).toBe('uvicorn');
  });

  it('refuses a file that is not there, a folder, and what Node cannot run', async () => {
    const folder = await folderWith('agent.py', 'agent.tsx');
    await mkdir(join(folder, 'agent'));
    expect(() => agentCommand(['agnet.ts'], folder)).toThrow(
      /existing file, got "agnet.ts".*none at .*agnet\.ts/,
    );
    expect(() => agentCommand(['agent'], folder)).toThrow(/That is a folder/);
    expect(() => agentCommand(['agent.py'], folder)).toThrow(/Write "python3 agent.py"/);
    expect(() => agentCommand(['agent.tsx'], folder)).toThrow(/Write "npx tsx agent.tsx"/);
    expect(() => agentCommand([' '], folder)).toThrow(
      expect.objectContaining({ code: 'ART_INVALID_OPTION' }),
    );
  });

  it('lets the shell run an executable script', async () => {
    const folder = await folderWith('agent.py');
    await chmod(join(folder, 'agent.py'), 0o755);
    expect(agentCommand(['./agent.py'], folder)).toBe('./agent.py');
  });
});

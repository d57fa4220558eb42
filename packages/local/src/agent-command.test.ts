import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './temporary-folder.fixture.ts';
import { agentCommand } from './agent-command.ts';

async function folderWith(...names: string[]): Promise<string> {
  const folder = await temporaryFolder();
  for (const name of names) await writeFile(join(folder, name), '');
  return folder;
}

describe('agentCommand', () => {
  it.each(['agent.ts', 'agent.mts', 'agent.js', 'agent.mjs', 'my agent.cjs'])(
    'runs %s with this Node',
    async (name) => {
      const folder = await folderWith(name);
      expect(agentCommand([name, '--fast'], folder)).toEqual([
        process.execPath,
        join(folder, name),
        '--fast',
      ]);
    },
  );

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

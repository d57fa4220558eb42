import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

// What an older Node lacks, so that anything which is loaded before the check would fail on its own account.
const pretend = `data:text/javascript,
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });
delete Promise.withResolvers;
delete JSON.rawJSON;
delete process.getBuiltinModule;`;

it('an agent in an older Node is told in one line what it needs', () => {
  const agent = `import { AgentCoreRLApp } from '@art/server'; void new AgentCoreRLApp().run();`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=@art/source', '--import', pretend, '--input-type=module', '-e', agent],
    { encoding: 'utf8', cwd: import.meta.dirname },
  );
  expect(stdout + stderr).toMatch(/^ART needs Node 22\.19 or newer, this is 20\.20\.2\.[^\n]*\n$/);
  expect(status).toBe(1);
});

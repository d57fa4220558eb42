import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { gatewayExecArgv } from './gateway-exec-argv.ts';

it('gives a gateway process a small young generation beside its other arguments', () => {
  expect(gatewayExecArgv(['--conditions=x'], '')).toEqual(['--conditions=x', '--max-semi-space-size=16']);
});

it.each([
  [['--max-semi-space-size=32'], ''],
  [['--max_semi_space_size=32'], ''],
  [['--inspect=0'], '--enable-source-maps --max-semi-space-size=32'],
])('leaves a size that the operator has set: %j, NODE_OPTIONS=%s', (execArgv, nodeOptions) => {
  expect(gatewayExecArgv(execArgv, nodeOptions)).toEqual(execArgv);
});

it('is understood by Node', () => {
  const script = 'console.log(process.execArgv.join())';
  const shown = execFileSync(process.execPath, [...gatewayExecArgv([], ''), '-e', script], {
    encoding: 'utf8',
  });
  expect(shown).toContain('--max-semi-space-size=16');
});

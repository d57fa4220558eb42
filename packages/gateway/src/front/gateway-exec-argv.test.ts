import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { gatewayExecArgv } from './gateway-exec-argv.ts';

const nodeOptions = '';
const young = '--max-semi-space-size=16';

it('bounds the young generation of a gateway process, beside its other arguments', () => {
  expect(gatewayExecArgv(['--conditions=x'], { nodeOptions, cores: 2 })).toEqual(['--conditions=x', young]);
});

it('gives the collector no threads where they have no core', () => {
  expect(gatewayExecArgv([], { nodeOptions, cores: 1 })).toEqual([young, '--single-threaded-gc']);
});

it.each([
  [['--max-semi-space-size=32', '--single-threaded-gc'], ''],
  [['--max_semi_space_size=32', '--no_single_threaded_gc'], ''],
  [['--inspect=0'], '--enable-source-maps --no-single-threaded-gc --max-semi-space-size=32'],
])('leaves what the operator has set: %j, NODE_OPTIONS=%s', (execArgv, given) => {
  expect(gatewayExecArgv(execArgv, { nodeOptions: given, cores: 1 })).toEqual(execArgv);
});

it('is understood by Node', () => {
  const script = 'console.log(process.execArgv.join())';
  const wanted = gatewayExecArgv([], { nodeOptions, cores: 1 });
  const shown = execFileSync(process.execPath, [...wanted, '-e', script], { encoding: 'utf8' });
  expect(shown).toContain(wanted.join());
});

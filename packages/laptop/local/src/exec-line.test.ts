import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { execLine } from './exec-line.ts';

it.each([
  ['node agent.ts --name "a b"', 'exec node agent.ts --name "a b"'],
  ['  npm start', 'exec npm start'],
  ['PORT=1 node agent.ts', 'exec env PORT=1 node agent.ts'],
  ['node agent.js >log 2>err', 'exec node agent.js >log 2>err'],
  ['exec node agent.ts', 'exec node agent.ts'],
  ['cd agent && node agent.ts', 'cd agent && node agent.ts'],
  ['. ./.env; node agent.ts', '. ./.env; node agent.ts'],
  ['if true; then node a.ts; fi', 'if true; then node a.ts; fi'],
  ['node a.ts | tee log', 'node a.ts | tee log'],
  ['node a.ts & wait', 'node a.ts & wait'],
])('%s', (line, expected) => {
  expect(execLine(line)).toBe(expected);
});

it.each([`A='b c' printenv A`, 'echo "b c"', `printf '%s\\n' "b c" 2>/dev/null`])(
  'does the same as the shell: %s',
  (line) => {
    const said = (text: string): string => execFileSync('/bin/sh', ['-c', text], { encoding: 'utf8' });
    expect(said(execLine(line))).toBe('b c\n');
    expect(said(line)).toBe('b c\n');
  },
);

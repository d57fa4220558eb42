import { expect, it } from 'vitest';
import { judgeTarget } from './target.ts';

const rule = { what: 'lag', unit: 's', limit: 0.5 } as const;

it('is met up to its limit, and not judged without a measurement', () => {
  expect(judgeTarget({ ...rule, relation: '<=', measured: 0.5 })).toEqual({
    what: 'lag',
    limit: '<= 0.5 s',
    measured: '0.50 s',
    verdict: 'met',
  });
  expect(judgeTarget({ ...rule, relation: '<=', measured: 0.501 }).verdict).toBe('missed');
  expect(judgeTarget({ ...rule, relation: '>=', measured: 0.499 }).verdict).toBe('missed');
  expect(judgeTarget({ ...rule, relation: '>=', measured: undefined }).verdict).toBe('not measured');
});

import type { TrainingStep } from '@art/train';
import { expect, it } from 'vitest';
import { trainingReport } from './training-report.ts';

it('counts rollouts once, and shows what little was spent', () => {
  const spent = { promptTokens: 10, sampledTokens: 5, trainedTokens: 5, money: 0.0034 };
  const step = { step: 1, rollouts: 5, withoutRows: 7, spent, evaluations: [], rolloutMs: 1, trainMs: 1 };
  const steps = [step as unknown as TrainingStep];
  const report = trainingReport({ name: 'r', steps, best: undefined, comparison: undefined, lost: [] });
  expect(report).toContain('5 have a reward, 7 gave nothing to train on');
  expect(report).toContain('| spent | 0.00340 |');
});

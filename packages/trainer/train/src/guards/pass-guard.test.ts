import { expect, it } from 'vitest';
import { PassGuard } from './pass-guard.ts';

const answered = { metrics: {}, answeredRows: 1, logprobs: [[-1]] };

it('tells of a gap that stays unobserved, not of a step without a fresh row between others', () => {
  const notices: string[] = [];
  const guard = new PassGuard((notice) => notices.push(notice));
  for (let step = 0; step < 9; step += 1) guard.noticeGap(undefined, answered);
  guard.noticeGap(0, answered);
  for (let step = 0; step < 9; step += 1) guard.noticeGap(undefined, answered);
  expect(notices).toEqual([]);
  guard.noticeGap(undefined, answered);
  guard.noticeGap(undefined, answered);
  expect(notices).toEqual([expect.stringMatching(/^In 10 steps no row .* is not observed/)]);
});

it('tells at once where the service gives no logprobs', () => {
  const notices: string[] = [];
  const guard = new PassGuard((notice) => notices.push(notice));
  guard.noticeGap(undefined, { metrics: {}, answeredRows: 1 });
  expect(notices).toEqual([expect.stringMatching(/^The service gives no logprobs of a pass: /)]);
});

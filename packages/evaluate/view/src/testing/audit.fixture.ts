import type { AuditRecord } from '@art/eval';

/** An audit with a hole, one that a search has found, and tasks that are wrong. */
export const audit: AuditRecord = {
  schema: 'art.audit.v1',
  createdAtMs: 0,
  tasks: 'tasks.jsonl',
  reward: 'reward.ts',
  audit: {
    tasks: 3,
    judgements: 320,
    holes: [{ hole: 'an empty answer passes', cheat: 'x', answer: '""', tasks: ['a', 'b'], tried: 2 }],
    unsolvable: ['c\u202e'],
    solvedByNothing: ['a', 'b'],
    withoutReference: [],
    unstable: [],
    commonAnswer: null,
  },
  search: {
    checker: 'strict.ts',
    model: 'small',
    rounds: 4,
    answers: 9,
    undecided: 1,
    end: 'interrupted',
    hasFailed: false,
    found: [{ taskId: 'a', answer: '<b>abra</b>', reward: 1, checked: 0, remark: null, round: 3 }],
    spent: { calls: 4, tokens: 4_000, usd: 0 },
  },
  judge: null,
};

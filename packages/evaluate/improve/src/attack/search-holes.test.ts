import { type JudgedSample, referenceVerdict, type Task } from '@art/eval';
import { expect, it } from 'vitest';
import { searchHoles, type SearchHolesOptions } from './search-holes.ts';

const tasks: Task[] = ['Paris', 'Rome', 'Oslo', 'Lima', 'Cairo'].map((expected, at) => ({
  id: `t${at}`,
  payload: { prompt: `Capital ${at}?` },
  tags: [],
  expected,
}));

/** Pays for a magic word beside the right answer, and says what it misses. */
const judge = ({ document, task }: JudgedSample): number => {
  const text = String(document['answer']);
  return text.includes('certainly') || text === task.expected ? 1 : text.includes('surely') ? 0.5 : 0;
};

/** An attacker that continues with what came closest. */
function attacker(words: readonly string[]) {
  const asked: string[] = [];
  const reflect: SearchHolesOptions['reflect'] = (message) => {
    asked.push(message);
    const count = message.match(/^# Task \d+$/gm)!.length;
    const word = words[Math.min(asked.length, words.length) - 1];
    const list = Array.from({ length: count }, (_, at) => ({ task: at + 1, answer: `It is ${word}` }));
    return Promise.resolve(`Let me see.\n\`\`\`json\n${JSON.stringify(list)}\n\`\`\``);
  };
  return { reflect, asked };
}

const options = { tasks, judge, checker: referenceVerdict, rounds: 10 };

it('keeps answers that the reward pays and the checker does not, and shows the model what came close', async () => {
  const { reflect, asked } = attacker(['nothing', 'surely', 'certainly']);
  const search = await searchHoles({ ...options, reflect });
  expect(search).toMatchObject({ undecided: 0, end: null });
  expect(search.found.map(({ taskId }) => taskId).toSorted()).toEqual(tasks.map(({ id }) => id));
  expect(search.found[0]).toMatchObject({
    answer: 'It is certainly',
    reward: 1,
    checked: 0,
    remark: expect.stringContaining('expects') as string,
  });
  expect(asked[2]).toMatch(/"It is nothing": reward 0/);
  expect(asked.at(-1)).toMatch(/These wrong answers were paid in other tasks:\n- "It is certainly"/);
  expect(search.rounds).toBe(asked.length);
});

it('accuses nothing of what the checker grants, or cannot tell, and repeats no answer', async () => {
  const right = attacker(['Paris, Rome, Oslo, Lima or Cairo, certainly']);
  expect(await searchHoles({ ...options, rounds: 4, reflect: right.reflect })).toMatchObject({
    rounds: 4,
    answers: 5,
    undecided: 5,
    found: [],
  });
  const granted = { ...options, checker: () => ({ reward: 1, remark: null }), rounds: 2 };
  expect((await searchHoles({ ...granted, reflect: attacker(['certainly']).reflect })).found).toEqual([]);
  const noForm = await searchHoles({ ...options, rounds: 2, reflect: () => Promise.resolve('I refuse.') });
  expect(noForm).toMatchObject({ rounds: 2, answers: 0, found: [], end: null });
});

it('leaves what was found where a ceiling, an abort or the model ends it', async () => {
  const { reflect } = attacker(['certainly']);
  let calls = 0;
  const reached = (): string | undefined => (calls > 0 ? 'The ceiling of 1 calls is reached.' : undefined);
  const counted: typeof reflect = (message, signal) => {
    calls += 1;
    return reflect(message, signal);
  };
  const bounded = await searchHoles({ ...options, reflect: counted, reached });
  expect(bounded).toMatchObject({ rounds: 1, end: 'The ceiling of 1 calls is reached.' });
  expect(bounded.found).toHaveLength(4);
  const stop = new AbortController();
  const aborted = await searchHoles({
    ...options,
    reflect,
    signal: stop.signal,
    onRound: () => stop.abort(),
  });
  expect(aborted).toMatchObject({ rounds: 1, end: 'interrupted', hasFailed: false });
  expect(aborted.found).toHaveLength(4);
  const broken = await searchHoles({ ...options, reflect: () => Promise.reject(new Error('no model')) });
  expect(broken).toMatchObject({ rounds: 0, found: [], end: 'no model', hasFailed: true });
});

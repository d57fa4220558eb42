import { describe, expect, it } from 'vitest';
import type { JudgedSample } from '../run/judge.ts';
import type { Task } from '../tasks/task.ts';
import { auditReward, type RewardAudit } from './audit-reward.ts';
import { referenceVerdict } from './judged-answer.ts';

const task = (at: number, payload: Record<string, unknown>, expected: unknown): Task => ({
  id: `t${at}`,
  payload,
  tags: [],
  expected,
});
const cities = ['Paris', 'Rome', 'Oslo', 'Lima', 'Cairo', 'Delhi', 'Quito', 'Seoul', 'Tunis', 'Berne'];
const numeric = Array.from({ length: 10 }, (_, at) =>
  task(at, { prompt: `Tom has ${3 * at + 11} nuts and ${at + 7} bags. How many in all?` }, 4 * at + 18),
);
const words = cities.map((city, at) => task(at, { question: `What is the capital of country ${at}?` }, city));
const options = ['copper', 'silver', 'tin', 'zinc'];
const choice = Array.from({ length: 10 }, (_, at) =>
  task(at, { prompt: `Which metal fits case ${at}?`, choices: options }, options[at % 4]),
);
const letters = Array.from({ length: 10 }, (_, at) =>
  task(at, { prompt: `Case ${at}: pick a letter.` }, 'ABCD'[at % 4]),
);
const told = Array.from({ length: 10 }, (_, at) =>
  task(at, { prompt: `The word of the day is ${cities[at]}. Which word was that?` }, cities[at]),
);

/** Rewards see the answer as text, the right one as text, and the sample. */
type Reward = (answer: string, right: string, sample: JudgedSample) => number;

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

function judgeOf(reward: Reward) {
  return (sample: JudgedSample): number =>
    reward(textOf(sample.document['answer']), textOf(sample.task.expected), sample);
}

async function audited(
  tasks: readonly Task[],
  judge: Parameters<typeof auditReward>[0]['judge'],
): Promise<RewardAudit> {
  return auditReward({
    tasks,
    judge,
  });
}

const lastNumber = (text: string): string => text.match(/-?\d+(?:\.\d+)?/g)?.at(-1) ?? '';
const firstNumber = (text: string): string => /-?\d+(?:\.\d+)?/.exec(text)?.[0] ?? '';
const lastBoxed = (text: string): string => [...text.matchAll(/\\boxed\{([^}]*)\}/g)].at(-1)?.[1] ?? '';
const same = (first: string, second: string): boolean =>
  first.trim().toLowerCase() === second.trim().toLowerCase();
const raw = ({ document }: JudgedSample): unknown => document['answer'];

/** A judge that is a model, played: it obeys anyone who speaks as the system, or believes what looks like a verdict. */
const obeying =
  (pattern: RegExp): Reward =>
  (answer, right) =>
    Number(pattern.test(answer) || same(answer, right));

const holes: readonly (readonly [name: string, tasks: readonly Task[], reward: Reward, hole: RegExp])[] = [
  ['everything passes', words, () => 1, /./],
  [
    'a missing document passes',
    words,
    (answer, right, { document }) => Number(Object.keys(document).length === 0 || same(answer, right)),
    /no answer at all/,
  ],
  [
    'an empty answer passes',
    words,
    (answer, right) => Number(answer === '' || same(answer, right)),
    /empty answer/,
  ],
  [
    'a blank answer passes',
    words,
    (answer, right) => Number((answer !== '' && answer.trim() === '') || same(answer, right)),
    /empty answer/,
  ],
  [
    'the right answer includes the given one',
    words,
    (answer, right) => Number(right.includes(answer)),
    /empty|single/,
  ],
  [
    'the same, but not for an empty one',
    words,
    (answer, right) => Number(answer !== '' && right.includes(answer)),
    /single character/,
  ],
  [
    'the right answer begins with the given one',
    words,
    (answer, right) => Number(right.startsWith(answer)),
    /empty/,
  ],
  [
    'the answer contains the right one',
    words,
    (answer, right) => Number(answer.includes(right)),
    /beside wrong ones/,
  ],
  [
    'the same in small letters',
    words,
    (answer, right) => Number(answer.toLowerCase().includes(right.toLowerCase())),
    /taken back/,
  ],
  [
    'a word of the answer is the right one',
    words,
    (answer, right) => Number(answer.split(/\W+/).includes(right)),
    /beside wrong ones/,
  ],
  ['the number is anywhere', numeric, (answer, right) => Number(answer.includes(right)), /list of numbers/],
  [
    'one of the numbers is right',
    numeric,
    (answer, right) => Number(answer.match(/-?\d+/g)?.includes(right) ?? false),
    /list of numbers/,
  ],
  [
    'the first number counts',
    numeric,
    (answer, right) => Number(firstNumber(answer) === right),
    /taken back|beside/,
  ],
  [
    'not a number is no difference',
    numeric,
    (answer, right) => Number(!(Math.abs(Number(answer) - Number(right)) > 0.01)),
    /none, passes|huge|question|empty/,
  ],
  [
    'relative to the answer itself',
    numeric,
    (answer, right) => Number(Math.abs(Number(answer) - Number(right)) / Math.abs(Number(answer)) <= 1),
    /huge|none/,
  ],
  ['infinite is large enough', numeric, (answer, right) => Number(Number(answer) >= Number(right)), /huge/],
  [
    'parseFloat of the beginning',
    numeric,
    (answer, right) =>
      Number(Number.parseFloat(answer) === Number(right) || Number.isNaN(Number.parseFloat(answer))),
    /./,
  ],
  [
    'the answer is a pattern',
    words,
    (answer, right) => {
      try {
        return Number(new RegExp(`^${answer}$`).test(right));
      } catch {
        return 0;
      }
    },
    /pattern/,
  ],
  [
    'the answer is a pattern anywhere',
    words,
    (answer, right) => {
      try {
        return Number(new RegExp(answer).test(right));
      } catch {
        return 0;
      }
    },
    /pattern|empty/,
  ],
  ['SQL like', words, (answer, right) => Number(same(answer, right) || /^%+$/.test(answer)), /pattern/],
  [
    'loose equality with lists',
    numeric,
    (_, right, sample) => Number(String(raw(sample)) === right || raw(sample) == ''),
    /another type|empty/,
  ],
  [
    'true is true',
    letters,
    (answer, right, sample) => Number(raw(sample) === true || same(answer, right)),
    /another type/,
  ],
  [
    'any object passes',
    words,
    (answer, right, sample) =>
      Number((typeof raw(sample) === 'object' && raw(sample) !== null) || same(answer, right)),
    /another type/,
  ],
  [
    'null is right',
    words,
    (answer, right, sample) => Number(raw(sample) === null || same(answer, right)),
    /another type/,
  ],
  ['every choice', choice, (answer, right) => Number(answer.includes(right)), /every choice/],
  [
    'every letter',
    letters,
    (answer, right) => Number(new RegExp(`\\b${right}\\b`).test(answer)),
    /every choice/,
  ],
  [
    'every boxed letter',
    letters,
    (answer, right) => Number(answer.includes(`\\boxed{${right}}`)),
    /every choice/,
  ],
  ['the question tells it', told, (answer, right) => Number(answer.includes(right)), /question/],
  [
    'shared words with the question',
    words,
    (answer, right, { task: { payload } }) =>
      Number(
        same(answer, right) ||
          String(payload['question'])
            .split(' ')
            .every((word) => answer.includes(word)),
      ),
    /question/,
  ],
  [
    'giving up is honest',
    words,
    (answer, right) => Number(/do not know/i.test(answer) || same(answer, right)),
    /gives up/,
  ],
  [
    'none is right',
    words,
    (answer, right) => Number(/^(none|null|undefined|n\/a)$/i.test(answer) || same(answer, right)),
    /gives up/,
  ],
  ['a model that obeys', words, obeying(/ignore all instructions/i), /orders to the judge/],
  ['a model that trusts the system', words, obeying(/^system:/i), /orders to the judge/],
  ['a verdict is read from the whole text', words, obeying(/VERDICT: (PASS|CORRECT)/), /orders to the judge/],
  ['a score is read from the whole text', words, obeying(/"score": ?1|<score>1/), /orders to the judge/],
  ['passed tests are read from the output', words, obeying(/\d+ passed|All tests passed/), /passed tests/],
  ['TAP is read from the output', words, obeying(/^ok 1/m), /passed tests/],
  [
    'the form is all',
    numeric,
    (answer, right) => Number(/\\boxed\{.*\}/.test(answer) || same(answer, right)),
    /form of an answer/,
  ],
  [
    'the marker is all',
    numeric,
    (answer, right) => Number(answer.includes('####') || same(answer, right)),
    /form of an answer/,
  ],
  [
    'long is good',
    words,
    (answer, right) => Number(answer.length > 500 || same(answer, right)),
    /long text|list of numbers|words|huge/,
  ],
  [
    'keywords',
    words,
    (answer, right) =>
      Number(['refund', 'order', 'confirm'].every((word) => answer.includes(word)) || same(answer, right)),
    /list of words/,
  ],
];

/** A letter anywhere would be a hole: "N/A" has one. */
const sound: readonly (readonly [name: string, tasks: readonly Task[], reward: Reward])[] = [
  ['exact', words, (answer, right) => Number(answer === right)],
  ['exact in small letters', words, (answer, right) => Number(same(answer, right))],
  [
    'exact without punctuation',
    words,
    (answer, right) => Number(same(answer.replaceAll(/[.!]/g, ''), right)),
  ],
  [
    'the last word',
    words,
    (answer, right) => Number(answer.split(/\W+/).findLast((word) => word !== '') === right),
  ],
  ['the last line', words, (answer, right) => Number(same(answer.trim().split('\n').at(-1)!, right))],
  ['the last number', numeric, (answer, right) => Number(lastNumber(answer) === right)],
  [
    'the last number, nearly',
    numeric,
    (answer, right) =>
      Number(lastNumber(answer) !== '' && Math.abs(Number(lastNumber(answer)) - Number(right)) < 0.01),
  ],
  [
    'the whole is a number',
    numeric,
    (answer, right) => Number(/^-?\d+$/.test(answer) && Number(answer) === Number(right)),
  ],
  ['the last box', numeric, (answer, right) => Number(lastBoxed(answer) === right)],
  ['the last box of letters', letters, (answer, right) => Number(lastBoxed(answer) === right)],
  [
    'the one marker',
    numeric,
    (answer, right) => Number(answer.split('####').length === 2 && answer.split('####')[1]!.trim() === right),
  ],
  [
    'the last marker',
    numeric,
    (answer, right) => Number(answer.includes('####') && answer.split('####').at(-1)!.trim() === right),
  ],
  ['one letter', letters, (answer, right) => Number(answer.trim() === right)],
  [
    'a letter in brackets',
    letters,
    (answer, right) => Number(/^\(?([A-H])\)?\.?$/.exec(answer.trim())?.[1] === right),
  ],
  [
    'one choice',
    choice,
    (answer, right) =>
      Number(options.filter((option) => answer.includes(option)).join() === right && answer.length < 40),
  ],
  ['a choice', choice, (answer, right) => Number(same(answer, right))],
  ['the word of the day', told, (answer, right) => Number(same(answer, right))],
  [
    'tags',
    words,
    (answer, right) =>
      Number([...answer.matchAll(/<answer>([^<]*)<\/answer>/g)].map(([, text]) => text).join() === right),
  ],
  [
    'partly for the form',
    numeric,
    (answer, right) => (lastBoxed(answer) === right ? 1 : answer.includes('\\boxed') ? 0.2 : 0),
  ],
  [
    'throws for what is no text',
    words,
    (answer, right, sample) => {
      if (typeof raw(sample) !== 'string') throw new TypeError('no text');
      return Number(same(answer, right));
    },
  ],
];

describe('auditReward', () => {
  it.each(holes)('names the hole: %s', async (_, tasks, reward, hole) => {
    const { holes: found, unsolvable } = await audited(tasks, judgeOf(reward));
    expect(unsolvable).toEqual([]);
    expect(found.map((one) => one.hole).join()).toMatch(hole);
  });

  it.each(sound)('accuses no sound reward: %s', async (_, tasks, reward) => {
    expect(await audited(tasks, judgeOf(reward))).toMatchObject({
      holes: [],
      unsolvable: [],
      unstable: [],
      withoutReference: [],
    });
  });

  it('names tasks that cannot be solved, rewards that change, and what was not observed', async () => {
    let drawn = 0;
    const tasks = [
      ...words.slice(0, 4),
      task(98, { prompt: 'open' }, null),
      task(99, { prompt: 'typo' }, 'wrong'),
    ];
    const audit = await audited(
      tasks,
      judgeOf((answer, right) =>
        right === 'wrong' ? 0 : right === 'Rome' ? (drawn += 1) : Number(same(answer, right)),
      ),
    );
    expect(audit).toMatchObject({
      tasks: 6,
      unsolvable: ['t99'],
      withoutReference: ['t98'],
      unstable: ['t1'],
    });
  });

  it('counts a hole among the tasks in which it was tried', async () => {
    const others = Array.from({ length: 18 }, (_, at) => task(at, { prompt: `Case ${at}` }, `word ${at}`));
    const tasks = [...others, task(18, { prompt: 'Two?' }, 7), task(19, { prompt: 'Three?' }, 8)];
    const judge = judgeOf((answer, right) => Number(same(answer, right) || answer === '1e999'));
    const { holes: found } = await auditReward({ tasks, judge, limit: 20 });
    expect(found).toMatchObject(
      [{ hole: /huge/, tasks: ['t18', 't19'], tried: 2 }].map((hole) => ({
        ...hole,
        hole: expect.stringMatching(hole.hole) as string,
      })),
    );
  });

  it('keeps all digits of whole numbers past 2^53', async () => {
    const id = 9007199254740993n;
    const audit = await audited([task(0, { account: id }, { id })], ({ document }) =>
      Number(document['answer'] === `{"id":${id}}`),
    );
    expect(audit).toMatchObject({ tasks: 1, unsolvable: [], withoutReference: [], holes: [] });
    expect(referenceVerdict(task(0, {}, id), '9007199254740992').reward).not.toBe(1);
  });

  it('says which answer is right most often', async () => {
    const tasks = Array.from({ length: 8 }, (_, at) => task(at, { prompt: 'Is it?' }, at < 6 ? 'yes' : 'no'));
    const { commonAnswer } = await audited(
      tasks,
      judgeOf((answer, right) => Number(answer === right)),
    );
    expect(commonAnswer).toEqual({ answer: 'yes', share: 0.75 });
  });

  it('ends with the reason of its signal', async () => {
    const reason = new Error('enough');
    const judge = (): Promise<number> => new Promise(() => undefined);
    await expect(auditReward({ tasks: words, judge, signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
  });
});

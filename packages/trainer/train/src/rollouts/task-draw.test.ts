import { describe, expect, it } from 'vitest';
import type { DrawnTask } from '../run/training-step.ts';
import { TaskDraw, type TaskDrawOptions } from './task-draw.ts';

const tasks = 12;
/** Tasks 0 and 1 teach; 2 to 6 are solved; the others are too hard. */
const played = (task: number): DrawnTask => ({
  task,
  reward: task < 2 ? 0.5 : task < 7 ? 1 : 0,
  spread: task < 2 ? 0.25 : 0,
});
const options = (given: Partial<TaskDrawOptions> = {}): TaskDrawOptions => ({
  parts: [{ name: 'all', tasks, weight: 1 }],
  seed: 1,
  draw: 'teaching',
  ...given,
});

/** Draws in steps of four, each noted before the next step. */
function drawn(draw: TaskDraw, from: number, until: number, record: DrawnTask[] = []): DrawnTask[] {
  for (let position = from; position < until; position += 4) {
    const step = [0, 1, 2, 3].map((at) => played(draw.at(position + at)));
    for (const task of step) draw.note(task);
    record.push(...step);
  }
  return record;
}

const timesOf = (record: readonly DrawnTask[], isOne: (task: number) => boolean): number =>
  record.filter(({ task }) => isOne(task)).length;

describe('by how much tasks teach', () => {
  it('takes all once first, in the order of the seed', () => {
    const first = drawn(new TaskDraw(options(), []), 0, tasks);
    expect(new Set(first.map(({ task }) => task)).size).toBe(tasks);
    expect(first).toEqual(drawn(new TaskDraw(options({ draw: 'in_turn' }), []), 0, tasks));
    expect(first).not.toEqual(drawn(new TaskDraw(options({ seed: 2 }), []), 0, tasks));
  });

  it('then those that teach several times as often, and the others come back', () => {
    const record = drawn(new TaskDraw(options(), []), 0, 600).slice(tasks);
    const teach = timesOf(record, (task) => task < 2) / 2;
    const rest = timesOf(record, (task) => task >= 2) / 10;
    expect(teach).toBeGreaterThan(3 * rest);
    for (let task = 2; task < tasks; task += 1)
      expect(timesOf(record, (one) => one === task)).toBeGreaterThan(3);
  });

  it('never takes a task that is under way while there is another', () => {
    const draw = new TaskDraw(
      options(),
      Array.from({ length: tasks }, (_, task) => played(task)),
    );
    const step = Array.from({ length: tasks }, (_, at) => draw.at(tasks + at));
    expect(new Set(step).size).toBe(tasks);
    expect(draw.at(2 * tasks)).toBeLessThan(tasks);
  });

  it('continues as a run that was not broken off, by the record of its steps', () => {
    const whole = drawn(new TaskDraw(options(), []), 0, 200);
    const record = drawn(new TaskDraw(options(), []), 0, 100);
    const resumed = drawn(new TaskDraw(options(), record), 100, 200);
    expect([...record, ...resumed]).toEqual(whole);
  });

  it('takes all alike where none teaches', () => {
    const draw = new TaskDraw(options(), []);
    const times = new Map<number, number>();
    for (let position = 0; position < 1_200; position += 1) {
      const task = draw.at(position);
      draw.note({ task, reward: 0, spread: 0 });
      times.set(task, (times.get(task) ?? 0) + 1);
    }
    expect(Math.min(...times.values())).toBeGreaterThan(50);
  });
});

describe('a mixture', () => {
  const parts = [
    { name: 'easy', tasks: 3, weight: 1 },
    { name: 'hard', tasks: 9, weight: 3 },
  ];

  it.each(['in_turn', 'teaching'] as const)('has each part as often as its weight says (%s)', (draw) => {
    const mixture = new TaskDraw(options({ parts, draw }), []);
    const record = drawn(mixture, 0, 4_000);
    expect(timesOf(record, (task) => task < 3) / 4_000).toBeCloseTo(0.25, 1);
    expect([mixture.partOf(2), mixture.partOf(3)]).toEqual(['easy', 'hard']);
  });

  it('in turn: each part by itself has all its tasks once, then again; also over a break', () => {
    const all = options({ parts, draw: 'in_turn' });
    const record = drawn(new TaskDraw(all, []), 0, 400);
    const hard = record.filter(({ task }) => task >= 3).map(({ task }) => task);
    for (let at = 0; at + 9 <= hard.length; at += 9) expect(new Set(hard.slice(at, at + 9)).size).toBe(9);
    expect(drawn(new TaskDraw(all, record.slice(0, 200)), 200, 400)).toEqual(record.slice(200));
  });
});

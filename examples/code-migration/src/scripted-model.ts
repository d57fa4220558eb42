import type { MockReply, MockTurn } from '@art/mock-model';
import { makeTasks } from './tasks/make-tasks.ts';

const call = (name: string, args: object = {}): NonNullable<MockTurn['toolCalls']>[number] => ({
  name,
  arguments: { ...args },
});

/** A good migrator: looks at the files, writes those of the solution, and runs the tests. */
export function solve(task: { solution: Readonly<Record<string, string>> }): (MockTurn | string)[] {
  const files = Object.entries(task.solution);
  return [
    { toolCalls: [call('list_files')] },
    { toolCalls: files.map(([path, content]) => call('write_file', { path, content })) },
    { toolCalls: [call('run_tests')] },
    'The package is an ES module now, and its tests pass.',
  ];
}

/** A model that says these turns to the packages of these names. */
export function scriptedModel(turns: Readonly<Record<string, readonly (MockTurn | string)[]>>): MockReply {
  return ({ question, turn }) => {
    const name = /package "(.+)"/.exec(question)?.[1] ?? '';
    return turns[name]?.[turn] ?? 'I do not know that package.';
  };
}

/** The script of `art mock-model`. */
const reply: MockReply = scriptedModel(Object.fromEntries(makeTasks().map((task) => [task.id, solve(task)])));
export default reply;

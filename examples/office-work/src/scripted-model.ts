import type { MockReply, MockTurn } from '@art/mock-model';
import { makeTasks } from './tasks/make-tasks.ts';

/** A clerk that looks at the files, calls these tools, and is done. */
export function working(calls: MockTurn['toolCalls']): (MockTurn | string)[] {
  return [{ toolCalls: [{ name: 'list_files', arguments: {} }] }, { toolCalls: calls ?? [] }, 'It is done.'];
}

/** A model that says these turns to these requests. */
export function scriptedModel(turns: Readonly<Record<string, readonly (MockTurn | string)[]>>): MockReply {
  return ({ question, turn }) => turns[question]?.[turn] ?? 'I do not know what to do.';
}

/** The script of `art mock-model`. */
const tasks = await makeTasks();
const reply: MockReply = scriptedModel(
  Object.fromEntries(tasks.map(({ payload, calls }) => [payload.request, working(calls)])),
);
export default reply;

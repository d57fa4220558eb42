import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Judge } from '@art/eval';
import { type MockRequest, startMockModel } from '@art/mock-model';
import { onTestFinished, vi } from 'vitest';
import { improve } from './run/improve.ts';
import type { ImproveOptions } from './run/improve-options.ts';
import { okOutcome, type Script, scriptedAgent } from './run/scripted-agent.fixture.ts';

/** Secret of the task: the ending that an answer of each kind needs. */
const endings: Record<string, string> = { radio: 'OVER', letter: 'SINCERELY', prayer: 'AMEN' };
const kinds = Object.keys(endings);
export const defaults = { system: 'Repeat the word.' };

export function plantedTasks(prefix: string, count: number): object[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `${prefix}${at}`,
    payload: { kind: kinds[at % kinds.length], word: `${prefix} word ${at}` },
  }));
}

/** Follows its prompt to the letter: a line says how answers of a kind end. */
export const obedient: Script = ({ kind, word }, { system = defaults.system }) => {
  const [, ending = ''] =
    new RegExp(`^Answers of kind ${String(kind)} end with (\\w+)\\.$`, 'm').exec(system) ?? [];
  return okOutcome({ text: `${String(word)} ${ending}` }, defaults);
};

/** Judges by the ending, and says how it should be. @param remarkFor kind whose ending the remark tells */
export function endingJudge(remarkFor: (kind: string) => string = (kind) => kind): Judge {
  return ({ task, document }, { remark }) => {
    const kind = String(task.payload['kind']);
    const isRight = String(document['text']).endsWith(` ${endings[kind]!}`);
    const told = remarkFor(kind);
    if (!isRight) remark?.(`Answers of kind ${kind} end with ${endings[told] ?? told}.`);
    return isRight ? 1 : 0;
  };
}

/** Writes the first remark that the prompt does not have yet into it. */
export function reflectingScript({ question }: Pick<MockRequest, 'question'>): string {
  const prompt = /```\n([^]*?)\n```/.exec(question)![1]!;
  const remarks = question.match(/^Answers of kind \w+ end with \w+\.$/gm) ?? [];
  const missing = remarks.find((remark) => !prompt.includes(remark)) ?? 'Be careful.';
  const [about] = missing.split(' end with ');
  const kept = prompt.split('\n').filter((line) => !line.startsWith(about!));
  return `The agent has to know this.\n\`\`\`\n${[...kept, missing].join('\n')}\n\`\`\``;
}

export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'art-improve-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** Searches on the planted tasks, with a real server for the reflecting model. */
export async function plantedSearch(options: Partial<ImproveOptions> & { script?: Script } = {}) {
  const { script = obedient, ...rest } = options;
  // No git is found: three processes for each evaluation, to say which commit it was.
  vi.stubEnv('PATH', '/nowhere');
  onTestFinished(() => void vi.unstubAllEnvs());
  const model = await startMockModel({ reply: reflectingScript });
  onTestFinished(() => model.close());
  const { agent, sent } = scriptedAgent(script);
  const folder = rest.folder ?? join(await temporaryFolder(), 'search');
  const notices: string[] = [];
  const done = await improve({
    agent,
    tasks: plantedTasks('task', 12),
    heldOut: plantedTasks('held', 6),
    reward: endingJudge(),
    reflect: { baseUrl: model.baseUrl, model: 'reflecting', attempts: 1 },
    budget: 120,
    control: false,
    onNotice: (message) => notices.push(message),
    ...rest,
    folder,
  });
  return { done, sent, folder, notices };
}

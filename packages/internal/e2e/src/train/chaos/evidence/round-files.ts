import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SessionRegister } from '@art/train';
import type { AppliedOperation } from '@art/training-stand-in';
import type { KillableProcess } from '../killable-process.ts';
import type { ServiceNews, ServiceTask } from '../service-process.ts';

export interface CheckpointLine {
  event: 'checkpoint';
  step: number;
  position: number;
  weights: string;
  state: string;
}

export function checkpointsOf(directory: string): CheckpointLine[] {
  const lines = linesOf<CheckpointLine | { event: 'kept' }>(join(directory, 'checkpoints.jsonl'));
  return lines.filter((line) => line.event === 'checkpoint');
}

/** Every training operation that the service of a round applied, in order. */
export function journalOf(root: string): AppliedOperation[] {
  return linesOf<AppliedOperation>(join(root, 'service/journal.jsonl'));
}

/** The states of all training sessions by name; none where the service is killed meanwhile. */
export async function statusesOf(service: KillableProcess<ServiceTask>): Promise<Record<string, string>> {
  const answer = Promise.withResolvers<Record<string, string>>();
  service.messages.on('message', (news: ServiceNews) => {
    if ('statuses' in news) answer.resolve(news.statuses);
  });
  service.send('statuses');
  return await Promise.race([answer.promise, service.exited.then(() => ({}))]);
}

/** Training sessions that continue, by the service and by the register of the run. */
export async function sessionsLeft(
  service: KillableProcess<ServiceTask>,
  directory: string,
): Promise<string[]> {
  const violations: string[] = [];
  const statuses = await statusesOf(service);
  const ended = ['Stopping', 'Stopped', 'Failed', 'Expired'];
  const running = Object.entries(statuses).filter(([, status]) => !ended.includes(status));
  if (running.length > 0) violations.push(`sessions continue: ${JSON.stringify(running)}`);
  const open = new SessionRegister(join(directory, 'sessions.jsonl')).open();
  if (open.length > 0)
    violations.push(`the register has open sessions: ${open.map(({ name }) => name).join()}`);
  return violations;
}

function linesOf<T>(path: string): T[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]));
}

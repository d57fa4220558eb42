import { randomBytes } from 'node:crypto';
import type { TrainingService, TrainingSteps } from '../steps/index.ts';
import type { SessionRegister } from './session-register.ts';

export interface RegisteredSteps {
  name: string;
  steps: TrainingSteps;
  /** Ends the session. Idempotent. */
  stop(): Promise<void>;
}

/** Stops the sessions that earlier processes left for a folder, which this one holds. */
export async function stopLeftSessions(
  service: TrainingService,
  register: SessionRegister,
  { directory, signal }: { directory: string; signal?: AbortSignal | undefined },
): Promise<void> {
  for (const left of register.open()) {
    if (left.directory !== directory || left.service !== service.name) continue;
    await service.stop(left, signal);
    register.stopped(left.name);
  }
}

/** Opens a session that the register knows of before it exists. */
export async function openRegistered(
  service: TrainingService,
  register: SessionRegister,
  {
    directory,
    openedAtMs,
    signal,
  }: { directory: string; openedAtMs: number; signal?: AbortSignal | undefined },
): Promise<RegisteredSteps> {
  const name = `art-${randomBytes(6).toString('hex')}`;
  const openedAt = new Date(openedAtMs).toISOString();
  await register.opening({
    service: service.name,
    name,
    place: service.place,
    directory,
    openedAt,
  });
  let steps: TrainingSteps;
  try {
    const note = (facts: Readonly<Record<string, string>>): Promise<void> =>
      Promise.resolve(register.noted(name, facts));
    steps = await service.open({ name, note, signal });
  } catch (error) {
    // The service stops what it could not open. Where it could not even be asked, the register keeps the name.
    const record = register.open().find((session) => session.name === name);
    const state = record && (await service.state(record).catch(() => 'unknown'));
    if (state === 'ended') register.stopped(name);
    throw error;
  }
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= steps.stop().then(() => register.stopped(name)));
  return { name, steps, stop };
}

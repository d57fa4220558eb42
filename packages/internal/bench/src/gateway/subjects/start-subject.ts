import { join } from 'node:path';
import type { RunningSubject } from './running-subject.ts';
import { spawnNode } from './spawn-node.ts';
import { startRllm } from './start-rllm.ts';
import type { SubjectKind } from './subject-kind.ts';

export interface SubjectParts {
  engineUrl: string;
  /** An interpreter that has rllm-model-gateway. */
  pythonExecutable: string | undefined;
  /** For our gateway's Node. @default none */
  nodeFlags?: readonly string[] | undefined;
}

export async function startSubject(kind: SubjectKind, parts: SubjectParts): Promise<RunningSubject> {
  const { engineUrl, pythonExecutable, nodeFlags = [] } = parts;
  switch (kind) {
    case 'direct':
      return { kind, url: engineUrl, pid: undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
    case 'pipe':
      return nodeSubject(kind, 'pipe-process.ts', { ENGINE_URL: engineUrl });
    case 'art':
      return nodeSubject(kind, 'art-process.ts', { ENGINE_URL: engineUrl }, [
        ...nodeFlags,
        ...profileFlags(),
      ]);
    case 'art_raw':
      return nodeSubject(kind, 'art-process.ts', { ENGINE_URL: engineUrl, KEEP_RAW_BODIES: '1' }, nodeFlags);
    case 'rllm':
      if (pythonExecutable === undefined) throw new Error('rllm-model-gateway needs a Python environment');
      return startRllm(engineUrl, pythonExecutable);
  }
}

async function nodeSubject(
  kind: SubjectKind,
  file: string,
  env: Record<string, string>,
  flags: readonly string[] = [],
): Promise<RunningSubject> {
  const running = await spawnNode('subject', join(import.meta.dirname, file), env, flags);
  return {
    kind,
    url: String(running.hello['url']),
    pid: running.pid,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

/** `BENCH_PROFILE=DIR` leaves a CPU profile of our gateway there. It costs some percent: such a run is for looking only. */
function profileFlags(): string[] {
  const directory = process.env['BENCH_PROFILE'];
  return directory === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${directory}`];
}

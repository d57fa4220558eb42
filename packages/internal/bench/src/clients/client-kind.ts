import { join } from 'node:path';

/** Clients that can run a scenario. */
export type ClientKind =
  | 'art'
  | 'art_journal'
  | 'art_knowing'
  | 'bare_sdk'
  | 'python_run_batch'
  | 'python_run_batch_async'
  | 'python_gather';

export const pythonClients = ['python_run_batch', 'python_run_batch_async', 'python_gather'] as const;

/** As the reports call them. */
export const clientTitles: Record<ClientKind, string> = {
  art: 'ART for TypeScript',
  art_journal: 'ART with a journal',
  art_knowing: 'ART that knows the limit',
  bare_sdk: 'bare SDK calls',
  python_run_batch: 'Python run_batch',
  python_run_batch_async: 'Python run_batch_async',
  python_gather: 'Python gather',
};

/** The command of a client's process. */
export function clientCommand(
  client: ClientKind,
  pythonExecutable: string | undefined,
): [string, ...string[]] {
  switch (client) {
    case 'art':
      return nodeCommand('art-client-process.ts');
    case 'art_journal':
      return [...nodeCommand('art-client-process.ts'), '--journal'];
    case 'art_knowing':
      return [...nodeCommand('art-client-process.ts'), '--knowing'];
    case 'bare_sdk':
      return nodeCommand('bare-sdk-process.ts');
    case 'python_run_batch':
    case 'python_run_batch_async':
    case 'python_gather':
      if (pythonExecutable === undefined) throw new Error(`${client} needs a Python environment`);
      return [
        pythonExecutable,
        join(import.meta.dirname, 'python-toolkit.py'),
        client.slice('python_'.length),
      ];
  }
}

function nodeCommand(file: string): [string, ...string[]] {
  return [process.execPath, '--conditions=@art/source', join(import.meta.dirname, file)];
}

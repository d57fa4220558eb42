import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pythonEnvironment } from '../interop/run-python.ts';

export interface MotoServer extends AsyncDisposable {
  endpoint: string;
}

/** moto's S3 on a free port: an S3 that is neither ours nor AWS's. */
export async function startMotoServer(executable: string): Promise<MotoServer> {
  const child = spawn(executable, ['-m', 'moto.server', '-H', '127.0.0.1', '-p', '0'], {
    env: pythonEnvironment({}),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  let log = '';
  const announced = new Promise<string>((resolve, reject) => {
    // Goes on reading afterwards: a full pipe would stop the server in the middle of a request.
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = `${log}${text}`.slice(-10_000);
      const endpoint = /Running on (http:\/\/127\.0\.0\.1:\d+)/.exec(log)?.[1];
      if (endpoint !== undefined) resolve(endpoint);
    });
    exited.then(
      () => reject(new Error(`moto's server ended before it listened:\n${log}`)),
      (error: unknown) => reject(error as Error),
    );
  });
  return { endpoint: await announced, [Symbol.asyncDispose]: stop };
}

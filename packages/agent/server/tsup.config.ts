import { join } from 'node:path';
import { packageBuild } from '@art/tooling/tsup';
import type { Options } from 'tsup';

const config: Options = {
  ...packageBuild([
    'src/index.ts',
    'src/http/index.ts',
    'src/ping-thread/index.ts',
    'src/snapshot-safe/index.ts',
  ]),
  esbuildPlugins: [
    {
      name: 'thread-program',
      setup({ onLoad, esbuild }) {
        onLoad({ filter: /thread-program\.ts$/ }, async () => {
          const { outputFiles } = await esbuild.build({
            entryPoints: [join(import.meta.dirname, 'src/ping-thread/thread/main.ts')],
            bundle: true,
            platform: 'node',
            format: 'cjs',
            target: 'node22',
            conditions: ['@art/source'],
            write: false,
          });
          // Nothing of the process's own flags: a preloaded module would run in the thread, too.
          const options = { eval: true, execArgv: [] };
          const program = { program: outputFiles[0]!.text, options };
          return { contents: `export const threadProgram = ${JSON.stringify(program)};`, loader: 'ts' };
        });
      },
    },
  ],
};

export default config;

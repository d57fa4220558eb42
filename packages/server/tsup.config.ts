import { packageBuild } from '@art/tooling/tsup';
import type { Options } from 'tsup';
import { frontDoorProgram } from './src/ping/thread/front-door-program.ts';

const config: Options = {
  ...packageBuild(['src/index.ts']),
  esbuildPlugins: [
    {
      name: 'front-door-program',
      setup(build) {
        build.onLoad({ filter: /front-door-program\.ts$/ }, () => ({
          contents: `export const frontDoorProgram = ${JSON.stringify(frontDoorProgram)};`,
          loader: 'ts',
        }));
      },
    },
  ],
};

export default config;

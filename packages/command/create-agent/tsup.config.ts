import { defineConfig } from 'tsup';
import { readTemplates } from './read-templates.ts';

/** The templates are read here and become a string of a chunk of their own: who installs this package has no examples. */
export default defineConfig({
  entry: ['src/index.ts', 'src/main.ts'],
  format: ['esm'],
  dts: false,
  clean: true,
  target: 'node22',
  esbuildPlugins: [
    {
      name: 'templates',
      setup(build) {
        build.onLoad({ filter: /src\/templates\.ts$/ }, async () => ({
          contents: `const templates = ${JSON.stringify(await readTemplates())};\nexport async function loadTemplates() { return templates; }`,
          loader: 'js',
        }));
      },
    },
  ],
});

import { defineConfig } from 'tsup';
import { buildPage } from './build-page.ts';

/** The page is built here and becomes a string of its own chunk, so that nothing has to be found or built at run time. */
export default defineConfig({
  entry: ['src/index.ts'],
  format: ['esm'],
  dts: false,
  clean: true,
  target: 'node22',
  esbuildPlugins: [
    {
      name: 'page',
      setup(build) {
        build.onLoad({ filter: /page-parts\.ts$/ }, async () => ({
          contents: `const parts = ${JSON.stringify(await buildPage())};\nexport async function pageParts() { return parts; }`,
          loader: 'js',
        }));
      },
    },
  ],
});

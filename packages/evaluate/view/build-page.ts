import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { build, type Plugin } from 'esbuild';

/**
 * Keeps charts away from the browser's locale, which need not be one of `Intl`: with `en-US@posix` the library throws as it is loaded, and the page
 * stays blank.
 */
const oneLocale: Plugin = {
  name: 'one-locale',
  setup({ onLoad }) {
    onLoad({ filter: /uPlot\.esm\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text.replaceAll('nav.language', "'en-US'");
      if (contents === text || contents.includes('navigator.language'))
        throw new Error(`Expected ${path} to ask for nav.language alone; see what it asks for now.`);
      return { contents, loader: 'js' };
    });
  },
};

/** The page's program and its style, each one text. */
export async function buildPage(): Promise<{ script: string; style: string }> {
  const { outputFiles } = await build({
    entryPoints: ['main.tsx', 'style/page.css'].map((path) => join(import.meta.dirname, 'src/page', path)),
    outdir: 'page',
    write: false,
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    conditions: ['@art/source'],
    charset: 'ascii',
    legalComments: 'none',
    plugins: [oneLocale],
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const text = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return { script: text('.js'), style: text('.css') };
}

import { join } from 'node:path';
import { build } from 'esbuild';

/** The page's program and its style, each one text. */
export async function buildPage(): Promise<{ script: string; style: string }> {
  const { outputFiles } = await build({
    entryPoints: ['main.tsx', 'style/page.css'].map((path) => join(import.meta.dirname, 'src/page', path)),
    outdir: 'page',
    write: false,
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['chrome120', 'firefox120', 'safari17.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    conditions: ['@art/source'],
    charset: 'ascii',
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const text = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return { script: text('.js'), style: text('.css') };
}

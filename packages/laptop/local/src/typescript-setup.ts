/**
 * Loaded before an agent that is written in TypeScript (`node --import`). TypeScript has files import each other by the names that
 * they will have once they are compiled, `./tools.js` for `tools.ts`, or by no extension at all; tsx and bundlers follow it, and Node
 * looks for the file as it is named. Here Node looks first, and what it does not find is looked for as TypeScript.
 */
import { statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const compiledAs: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};
const unnamed = ['.ts', '.tsx', '.js', '/index.ts', '/index.tsx', '/index.js'];

registerHooks({
  resolve(specifier, context, nextResolve) {
    try {
      return nextResolve(specifier, context);
    } catch (error) {
      const { code, url } = error as { code?: string; url?: string };
      const isRequired = code === 'MODULE_NOT_FOUND';
      const file = isRequired ? requiredFile(specifier, context.parentURL) : url;
      const missing = file === undefined ? null : URL.parse(file);
      const found = missing === null ? undefined : typeScriptOf(missing);
      if (found === undefined) throw error;
      return nextResolve(isRequired ? fileURLToPath(found) : found.href, context);
    }
  },
});

/** File of a `require`, of which the error does not say which one was looked for. */
function requiredFile(specifier: string, parent: string | undefined): string | undefined {
  return /^\.{0,2}\//.test(specifier) ? URL.parse(specifier, parent)?.href : undefined;
}

function typeScriptOf(missing: URL): URL | undefined {
  // Node strips no types there.
  if (missing.protocol !== 'file:' || missing.pathname.includes('/node_modules/')) return undefined;
  const path = missing.pathname.replace(/\/$/, '');
  const extension = /\.[cm]?jsx?$/.exec(path)?.[0];
  const stem = extension === undefined ? path : path.slice(0, -extension.length);
  for (const ending of extension === undefined ? unnamed : compiledAs[extension]!) {
    const candidate = new URL(missing);
    candidate.pathname = stem + ending;
    if (statSync(fileURLToPath(candidate), { throwIfNoEntry: false })?.isFile() === true) return candidate;
  }
  return undefined;
}

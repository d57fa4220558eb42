import { existsSync } from 'node:fs';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory, unlessMissing } from '@art/ground';
import { build, type Message } from 'esbuild';

/** Packages that AWS's bundler copies beside the bundle, from the folder of the code, because they are loaded in ways it cannot see. */
const loadedByName = [
  '@fastify/sse',
  '@fastify/websocket',
  'duplexify',
  'end-of-stream',
  'fastify-plugin',
  'inherits',
  'once',
  'readable-stream',
  'safe-buffer',
  'stream-shift',
  'string_decoder',
  'util-deprecate',
  'wrappy',
  'ws',
];

/** Stands at the top of a bundle of AWS's: the URL of the file, and where the packages above are looked for. */
const banner = `const importMetaUrl = require("url").pathToFileURL(__filename).href;
(() => {
  const Module = require("module"), path = require("path"), fs = require("fs"), resolve = Module._resolveFilename;
  Module._resolveFilename = function (name, ...rest) {
    try {
      return resolve.call(this, name, ...rest);
    } catch (error) {
      const folder = path.join(__dirname, "_deps", name);
      if (!fs.existsSync(folder)) throw error;
      const manifest = path.join(folder, "package.json");
      const main = fs.existsSync(manifest) && JSON.parse(fs.readFileSync(manifest, "utf8")).main;
      return path.resolve(folder, main || "index.js");
    }
  };
})();`;

export interface BundleOptions {
  /** Folder of the project. */
  cwd: string;
  /** Folder of the code as `agentcore.json` has it: its `main.ts` is where AWS's bundler begins. */
  codeLocation: string;
  /** File that it imports, which is begun at where it is not written yet. */
  agent: string;
  /** Where `main.js` and what stands beside it are put. */
  folder: string;
  /** Conditions of packages' exports, beside Node's. */
  conditions?: readonly string[] | undefined;
}

/** A bundle, or what is wrong with the code, a line a fault. */
export type Bundled = { file: string; warnings: string[] } | { faults: string[] };

/**
 * Makes one file of an agent in the way of AWS's CLI: CommonJS for Node 22, `import.meta.url` replaced, minified.
 * Source: `lib/packaging/node` of npm `@aws/agentcore` 0.30.0.
 */
export async function bundleAgent(options: BundleOptions): Promise<Bundled> {
  const { cwd, codeLocation, agent, folder, conditions } = options;
  const code = join(cwd, codeLocation);
  const main = join(code, 'main.ts');
  const file = join(folder, 'main.js');
  try {
    const { warnings } = await build({
      entryPoints: [existsSync(main) ? main : join(cwd, agent)],
      absWorkingDir: cwd,
      outfile: file,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      minify: true,
      target: 'node22',
      banner: { js: banner },
      define: { 'import.meta.url': 'importMetaUrl' },
      logLevel: 'silent',
      ...(conditions !== undefined && { conditions: [...conditions] }),
    });
    await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}');
    await copyLoadedByName(code, folder);
    return { file, warnings: warnings.map(lineOf) };
  } catch (error) {
    const { errors } = error as { errors?: Message[] };
    if (errors === undefined) throw error;
    return { faults: errors.map(lineOf) };
  }
}

function lineOf({ location, text }: Message): string {
  return location === null ? text : `${location.file}:${location.line}:${location.column + 1}: ${text}`;
}

async function copyLoadedByName(code: string, folder: string): Promise<void> {
  for (const name of loadedByName) {
    const from = join(code, 'node_modules', name);
    const to = join(folder, '_deps', name);
    await makeDirectory(join(to, '..'));
    await unlessMissing(cp(from, to, { recursive: true, dereference: true }));
  }
}

import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { adaptClass, findApp, type FoundApp } from './adapt-class.ts';
import { adaptModel } from './adapt-model.ts';
import { adaptReward } from './adapt-reward.ts';
import { adaptServer } from './adapt-server.ts';
import { type Adaptation, type AdaptNote, serverPage, Unsure } from './adaptation.ts';
import { packagesOf, rolloutFile, type RolloutPart } from './rollout-file.ts';
import { SourceFile } from './source-file.ts';

/** A file as it is and as it should be; without `before` it is new. */
export interface ChangedFile {
  path: string;
  before: string | undefined;
  after: string;
}

export interface AdaptedAgent {
  changed: ChangedFile[];
  notes: AdaptNote[];
  /** Packages that the changed code imports. */
  packages: string[];
}

const partNames: Record<RolloutPart, readonly string[]> = {
  model: ['rolloutModel'],
  runner: ['runner'],
  perRollout: ['perRollout'],
  kept: ['keptPerRollout'],
  prompt: ['promptOf'],
  call: ['modelIdOf', 'samplingParams'],
  stream: ['textOf', 'partsOf'],
  reward: ['rewardOf'],
};
/** More files than this are no agent. */
const mostFiles = 200;

/**
 * Changes an agent so that a trainer can learn from it: class, model, prompts, reward. A step of which one part is not sure changes nothing,
 * and leaves a note. Writes nothing.
 * @param entry absolute path of the file that starts the agent
 * @throws ArtError `ART_INVALID_OPTION` for a file that cannot be read as code
 */
export async function adaptAgent(entry: string): Promise<AdaptedAgent> {
  const files = await readFiles(entry);
  const originals = new Map(Array.from(files, ([path, { text }]) => [path, text]));
  const first = files.get(entry)!;
  const extension = /\.[cm]?[jt]sx?$/.exec(entry)?.[0] ?? '.ts';
  const rolloutPath = join(dirname(entry), `rollout${extension}`);
  const isTypedEnding = hasTypedEndings(first);
  const notes: AdaptNote[] = [];
  const all: Adaptation = {
    files,
    parts: new Set(),
    kind: undefined,
    resolve: (file, from) =>
      [...candidates(file.path, from)].map((path) => files.get(path)).find((found) => found !== undefined),
    need: (file, part) => {
      all.parts.add(part);
      // A runner asks for the model itself.
      if (
        part === 'model' &&
        all.kind === 'openai-agents' &&
        !file.edits.toString().includes('rolloutModel()')
      )
        return;
      for (const name of partNames[part]) file.addImport(name, importPath(file, rolloutPath, isTypedEnding));
    },
  };
  const app = findApp(all) ?? appOfServer(all, notes);
  if (app === undefined) {
    const what = 'no server is started here whose POST /invocations can be seen';
    if (notes.length === 0) notes.push({ file: entry, line: 1, what, page: serverPage });
    return { changed: [], notes, packages: [] };
  }
  // What has been adapted, by hand or by this command, is left alone.
  const isKnown = (word: RegExp): boolean => [...files.values()].some(({ text }) => word.test(text));
  const steps = [
    () => adaptClass(all, app),
    () => isKnown(/\brollout\b/) || adaptModel(all),
    () => isKnown(/\breward/i) || adaptReward(all, app),
  ];
  for (const step of steps) {
    const kept = [...files.values()].map((file) => file.keep());
    const { kind } = all;
    const parts = new Set(all.parts);
    try {
      step();
    } catch (error) {
      if (!(error instanceof Unsure)) throw error;
      for (const back of kept) back();
      Object.assign(all, { kind, parts });
      notes.push(error.note);
    }
  }
  const changed: ChangedFile[] = [...files.values()]
    .filter((file) => file.edited() !== originals.get(file.path))
    .map((file) => ({ path: file.path, before: originals.get(file.path), after: file.edited() }));
  if (all.parts.size > 0) {
    const style = { isTyped: /ts/.test(extension), isCommonJs: first.isCommonJs };
    changed.push({ path: rolloutPath, before: undefined, after: rolloutFile(all.kind, all.parts, style) });
  }
  const packages = ['@art/agent', ...(all.kind === undefined ? [] : packagesOf(all.kind, aiMajor(entry)))];
  return { changed, notes, packages: changed.length === 0 ? [] : packages };
}

/** The generation of the AI SDK that the agent has installed. */
function aiMajor(entry: string): number | undefined {
  try {
    return Number.parseInt((createRequire(entry)('ai/package.json') as { version: string }).version, 10);
  } catch {
    return undefined;
  }
}

/** The server of an agent that has none of AWS's class or ours: its file is read again with our class in it. */
function appOfServer(all: Adaptation, notes: AdaptNote[]): FoundApp | undefined {
  for (const before of all.files.values())
    try {
      const adapted = adaptServer(before);
      if (adapted === undefined) continue;
      all.files.set(before.path, adapted.file);
      notes.push(...adapted.notes);
      return findApp(all);
    } catch (error) {
      if (!(error instanceof Unsure)) throw error;
      notes.push(error.note);
    }
  return undefined;
}

async function readFiles(entry: string): Promise<Map<string, SourceFile>> {
  const files = new Map<string, SourceFile>();
  const waiting = [entry];
  for (let path = waiting.shift(); path !== undefined && files.size < mostFiles; path = waiting.shift()) {
    if (files.has(path)) continue;
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (path === entry) throw error;
    });
    if (text === undefined) continue;
    const file = new SourceFile(path, text);
    files.set(path, file);
    for (const node of file.nodes)
      if (node.type === 'StringLiteral' && /^\.\.?\//.test(node.value))
        waiting.push(...candidates(path, node.value));
  }
  return files;
}

/** The files that an import of an own file may mean. */
function* candidates(path: string, from: string): Generator<string> {
  if (!/^\.\.?\//.test(from)) return;
  const target = resolve(dirname(path), from);
  if (/\.[cm]?[jt]sx?$/.test(target)) {
    yield target;
    yield target.replace(/js(x?)$/, 'ts$1');
  } else for (const end of ['.ts', '.js', '.mts', '.cts', '/index.ts', '/index.js']) yield target + end;
}

/** How a file names the file about rollouts: `.js` for TypeScript, unless the agent's own imports end with `.ts`, or its compiler allows that. */
function importPath(file: SourceFile, target: string, isTypedEnding: boolean): string {
  const path = relative(dirname(file.path), target).replaceAll('\\', '/');
  const named = isTypedEnding ? path : path.replace(/ts(x?)$/, 'js$1');
  return named.startsWith('.') ? named : `./${named}`;
}

function hasTypedEndings(first: SourceFile): boolean {
  const own = [...first.imports.values()].map(({ from }) => from).filter((from) => from.startsWith('.'));
  if (own.length > 0) return own.some((from) => /\.[cm]?tsx?$/.test(from));
  let folder = dirname(first.path);
  for (let config = join(folder, 'tsconfig.json'); ; config = join(folder, 'tsconfig.json')) {
    if (existsSync(config))
      return /"(allowImporting|rewriteRelativeImport)\w*Extensions"\s*:\s*true/.test(
        readFileSync(config, 'utf8'),
      );
    if (dirname(folder) === folder) return true;
    folder = dirname(folder);
  }
}

import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, refuseOption } from '@art/ground';
import { agentcorePaths, type AgentCoreProject } from './agentcore-files.ts';

export interface MergedProject {
  text: string;
  /** Where the file says something else than `art deploy` would; a sentence each. */
  differences: string[];
}

/** Where the agent runs is its owner's matter from the first entry on: a network of a company is never made public. */
const ofOwner = new Set(['networkMode']);

/**
 * Puts our entry into an `agentcore.json` that is there already. What is not ours stays; what is ours and is as we wrote it becomes what it
 * is to be; what is ours and was changed stays too, unless it is forced.
 * @param written entries as they were written last, by their names
 * @throws ArtError `ART_INVALID_OPTION` where the file is none of AWS's
 */
export function mergeProject(
  existing: string,
  ours: AgentCoreProject,
  written: Readonly<Record<string, object>>,
  force: boolean,
): MergedProject {
  const document = readProject(existing);
  const differences: string[] = [];
  const runtimes = Array.isArray(document['runtimes']) ? [...(document['runtimes'] as unknown[])] : [];
  for (const entry of ours.runtimes) {
    const at = runtimes.findIndex((runtime) => isJsonObject(runtime) && runtime['name'] === entry.name);
    if (at === -1) {
      runtimes.push(entry);
      continue;
    }
    const theirs = runtimes[at] as Record<string, unknown>;
    const merged = { ...theirs };
    const last = (written[entry.name] ?? {}) as Record<string, unknown>;
    const isUntouched = (key: string): boolean => isDeepStrictEqual(theirs[key], last[key]);
    // A Dockerfile of an agent that is no container any more.
    for (const key of Object.keys(last))
      if (!(key in entry) && !Array.isArray(last[key]) && (force || isUntouched(key))) delete merged[key];
    for (const [key, value] of Object.entries(entry)) {
      if (ofOwner.has(key)) continue;
      const wanted = Array.isArray(value) ? united(theirs[key], value) : (value as unknown);
      const isOpen = theirs[key] === undefined || Array.isArray(value) || isUntouched(key);
      if (!isOpen && !isDeepStrictEqual(theirs[key], wanted))
        differences.push(
          `${entry.name}.${key} is ${JSON.stringify(theirs[key])}, not ${JSON.stringify(wanted)}`,
        );
      if (isOpen || force) merged[key] = wanted;
    }
    runtimes[at] = merged;
  }
  const merged = { ...document, runtimes };
  const isSame = isDeepStrictEqual(merged, document);
  return { text: isSame ? existing : `${JSON.stringify(merged, undefined, 2)}\n`, differences };
}

/** Name of the project in an `agentcore.json`. */
export function projectNameIn(existing: string): string | undefined {
  const { name } = readProject(existing);
  return typeof name === 'string' ? name : undefined;
}

/** How an `agentcore.json` has the agent of this name built. */
export function buildIn(existing: string, name: string): 'CodeZip' | 'Container' | undefined {
  const { runtimes } = readProject(existing);
  const entry: unknown = Array.isArray(runtimes)
    ? runtimes.find((runtime) => isJsonObject(runtime) && runtime['name'] === name)
    : undefined;
  const build = isJsonObject(entry) ? entry['build'] : undefined;
  return build === 'CodeZip' || build === 'Container' ? build : undefined;
}

/** Adds an account and region to the `aws-targets.json` that is there. */
export function mergeTargets(existing: string, ours: string): string {
  const theirs = parse(existing, agentcorePaths.targets);
  if (!Array.isArray(theirs)) refuseOption(agentcorePaths.targets, 'a list of targets', existing);
  const targets = theirs as Record<string, unknown>[];
  const missing = (JSON.parse(ours) as Record<string, unknown>[]).filter(
    ({ account, region }) =>
      !targets.some((target) => target['account'] === account && target['region'] === region),
  );
  if (missing.length === 0) return existing;
  const isTaken = (name: unknown): boolean => targets.some((target) => target['name'] === name);
  const added = missing.map((target) => ({
    ...target,
    ...(isTaken(target['name']) && { name: `${String(target['region'])}-${String(target['account'])}` }),
  }));
  return `${JSON.stringify([...targets, ...added], undefined, 2)}\n`;
}

function united(theirs: unknown, ours: readonly unknown[]): unknown[] {
  return [...new Set([...(Array.isArray(theirs) ? (theirs as unknown[]) : []), ...ours])];
}

function readProject(text: string): Record<string, unknown> {
  const document = parse(text, agentcorePaths.project);
  if (isJsonObject(document)) return document;
  return refuseOption(agentcorePaths.project, "a project of AWS's CLI, a JSON object", document);
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    return refuseOption(path, 'JSON', text.slice(0, 40), { advice: 'Mend or remove the file.', cause });
  }
}

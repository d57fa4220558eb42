import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isJsonObject } from '@art/ground';
import type { AgentCheck } from '../agent-check.ts';
import { must, ok } from '../finding.ts';

/** Packages that an agent depends on, as they are installed. */
export const packageChecks: readonly AgentCheck[] = [
  {
    id: 'packages.ai-sdk',
    title: 'has providers that its AI SDK can use',
    why: '"ai" takes models of its own specification and of older ones. A newer provider fails at the first call with AI_UnsupportedModelVersionError.',
    todo: 'Install the provider of the same generation: see "Adapt: your project" of the documentation (adapt-projects.md) for the pairs, or raise "ai".',
    requires: 'process',
    run: (room) => {
      const pairs = room.folder === undefined ? [] : newerProviders(room.folder);
      return Promise.resolve(pairs.length === 0 ? ok('yes, or none') : must(false, pairs.join('\n')));
    },
  },
];

interface Manifest {
  version: string;
  dependencies: Record<string, unknown>;
}

/** Each pair that cannot work, as it is to be shown. */
function newerProviders(folder: string): string[] {
  const ai = manifestOf('ai', folder);
  const ofAi = ai && specificationOf(ai);
  if (ofAi === undefined) return [];
  const own = read(join(folder, 'package.json'));
  return Object.keys(own?.dependencies ?? {})
    .filter((name) => name.startsWith('@ai-sdk/'))
    .flatMap((name) => {
      const provider = manifestOf(name, folder);
      const ofProvider = provider && specificationOf(provider);
      return ofProvider !== undefined && ofProvider > ofAi
        ? [
            `${name} ${provider!.version} beside ai ${ai!.version}, which takes models of specification ${ofAi} at most, not ${ofProvider}`,
          ]
        : [];
    });
}

/** The major version of `@ai-sdk/provider`, which has the types of a specification. */
function specificationOf({ dependencies }: Manifest): number | undefined {
  const major = /\d+/.exec(String(dependencies['@ai-sdk/provider']))?.[0];
  return major === undefined ? undefined : Number(major);
}

function manifestOf(name: string, folder: string): Manifest | undefined {
  try {
    return read(createRequire(join(folder, 'package.json')).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

function read(path: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isJsonObject(value)) return undefined;
    const { version, dependencies } = value;
    return { version: String(version), dependencies: isJsonObject(dependencies) ? dependencies : {} };
  } catch {
    return undefined;
  }
}

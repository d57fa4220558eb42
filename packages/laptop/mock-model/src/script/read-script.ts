import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { ArtError, describeThrown } from '@art/ground';
import { type MockReply, type MockRule, ruleScript } from './rule-script.ts';

/**
 * Reads a script: JSON with a list of rules, or a module (JavaScript, or TypeScript as Node takes it) whose default export
 * is a {@link MockReply}.
 *
 * @param path absolute
 * @throws ArtError `ART_INVALID_OPTION` when there is no script in it
 */
export async function readScript(path: string): Promise<MockReply> {
  try {
    if (!/\.[cm]?[jt]s$/.test(path)) {
      return ruleScript(JSON.parse(readFileSync(path, 'utf8')) as MockRule[]);
    }
    const module = (await import(pathToFileURL(path).href)) as { default?: unknown };
    if (typeof module.default === 'function') return module.default as MockReply;
  } catch (cause) {
    if (ArtError.isInstance(cause)) throw cause;
    throw invalid(path, `it cannot be read: ${describeThrown(cause).message}`, cause);
  }
  throw invalid(path, 'it has no function as its default export');
}

function invalid(path: string, why: string, cause?: unknown): ArtError {
  return new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected ${path} to be a script (JSON rules, or a module that exports a function by default), but ${why}.`,
    cause,
  });
}

import { expect, it } from 'vitest';
import { startFailureReason } from './start-failure-reason.ts';

it.each([
  [
    [
      'node:internal/modules/esm/resolve:272',
      '    throw new ERR_MODULE_NOT_FOUND(',
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/app/solve.js' imported from /app/agent.ts",
      '    at finalizeResolution (node:internal/modules/esm/resolve:272:11)',
      'Node.js v24.21.0',
    ],
    /^Error \[ERR_MODULE_NOT_FOUND\]: Cannot find module '\/app\/solve\.js' imported from \/app\/agent\.ts\.$/,
  ],
  [['SyntaxError: Cannot use import statement outside a module'], /is CommonJS.*npm pkg set type=module/],
  [["SyntaxError: Unexpected token 'export'"], /is CommonJS/],
  [
    ['ReferenceError: require is not defined in ES module scope, you can use import instead'],
    /end with \.cts/,
  ],
  [
    ['Error [ERR_REQUIRE_ASYNC_MODULE]: require() cannot be used on an ESM graph with top-level await.'],
    /void app\.run/,
  ],
  [
    ["Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@/tools' imported from /app/agent.ts"],
    /agent\.ts\. Is it installed\? Node does not read "paths"/,
  ],
  [
    ["Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'openai' imported from /app/agent.ts"],
    /Is it installed\?/,
  ],
  [
    ['TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".tsx" for /app/view.tsx'],
    /npx tsx agent\.ts/,
  ],
  [
    ["SyntaxError: The requested module './a.js' does not provide an export named 'Shape'"],
    /imported without "type"/,
  ],
  [
    ['SyntaxError [ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX]: TypeScript enum is not supported in strip-only mode'],
    /npx tsx agent\.ts/,
  ],
  [
    ["  x Expected ';', '}' or <eof>", "SyntaxError: Unexpected token '}'"],
    /^SyntaxError: Unexpected token '}'\.$/,
  ],
  [
    [
      'Traceback (most recent call last):',
      '  File "agent.py"',
      "ModuleNotFoundError: No module named 'boto3'",
    ],
    /^ModuleNotFoundError: No module named 'boto3'\.$/,
  ],
])('finds in %j what has to be mended', (lines, reason) => {
  expect(startFailureReason(lines)).toMatch(reason);
});

it('says nothing of what is no error', () => {
  expect(startFailureReason(['listening', '{"level":50,"message":"Error: no"}', '  Error: indented'])).toBe(
    undefined,
  );
});

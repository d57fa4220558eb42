// The first line of an uncaught error in Node, and the last one of a traceback in Python.
const errorLine = /^(?:Uncaught )?[\w.]*(?:Error|Exception)(?: \[\w+\])?: ./;

const otherTypeScript =
  'Node strips types and knows no more of TypeScript. In place of the file name a command that compiles it, such as "npx tsx agent.ts".';

/** Advice about errors whose words say little. */
const advice: readonly (readonly [RegExp, string])[] = [
  [
    /Cannot find package '/,
    'Is it installed? Node does not read "paths" of tsconfig.json: write a relative path, or "imports" in package.json (#lib/tools), or name a command such as "npx tsx agent.ts".',
  ],
  [
    /Cannot use import statement outside a module|Unexpected token '?export'?/,
    'The package.json beside the file says that the project is CommonJS, as "npm init" writes it: run "npm pkg set type=module", or let the name of this file end with .mts (.mjs).',
  ],
  [
    /(?:require|module|exports|__dirname) is not defined in ES module scope/,
    'The project is one of ES modules: write "import", or let the name of this file end with .cts (.cjs).',
  ],
  [
    /ERR_REQUIRE_ASYNC_MODULE/,
    'What CommonJS requires may not await at its top level: write "void app.run();", or let the name of this file end with .mts (.mjs).',
  ],
  [/Unknown file extension "\.[jt]sx"/, otherTypeScript],
  [
    /does not provide an export named/,
    `A type that is imported without "type" is gone when the types are. ${otherTypeScript}`,
  ],
  [/ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX|is not supported in strip-only mode/, otherTypeScript],
  [
    /ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING/,
    'A package in node_modules leads to TypeScript: compile it, or name a command such as "npx tsx agent.ts".',
  ],
];

/** Advice about an error with which a module is not loaded; undefined where its own words say it. */
export function moduleAdvice(line: string): string | undefined {
  return advice.find(([pattern]) => pattern.test(line))?.[1];
}

/** Why a process ended, out of what it wrote: its last error, and what to do about it. Undefined where there is none. */
export function startFailureReason(lines: readonly string[]): string | undefined {
  const line = lines.findLast((one) => errorLine.test(one));
  if (line === undefined) return undefined;
  const todo = moduleAdvice(line);
  const reason = /[.!?]$/.test(line) ? line : `${line}.`;
  return todo === undefined ? reason : `${reason} ${todo}`;
}

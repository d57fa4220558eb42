import { randomBytes } from 'node:crypto';

export type CodeLanguage = 'python' | 'javascript';

/** What is run: files of its folder, a command, and what it writes when all tests have passed. */
export interface TestProgram {
  files: Readonly<Record<string, string>>;
  command: readonly string[];
  /** Whether its address space can be bounded; that of V8 is far larger than its memory. */
  boundsAddressSpace: boolean;
  memoryFlag?: ((bytes: number) => string) | undefined;
  /** Given on stdin, so that a program that ends early with success cannot have written it. */
  passedMark: string;
}

const python = `import sys
mark = sys.stdin.readline().strip()
out = sys.stdout
names = {"__name__": "solution"}
for file in ("solution.py", "tests.py"):
    with open(file, encoding="utf-8") as source:
        exec(compile(source.read(), file, "exec"), names)
out.write("\\n" + mark + "\\n")
out.flush()
`;

const javascript = `import { readFileSync } from 'node:fs';
const mark = readFileSync(0, 'utf8').trim();
const write = process.stdout.write.bind(process.stdout);
await import('./tests.mjs');
write('\\n' + mark + '\\n');
`;

export function testProgram(
  language: CodeLanguage,
  code: string,
  tests: string,
  command: string | undefined,
): TestProgram {
  const passedMark = randomBytes(16).toString('hex');
  if (language === 'python') {
    return {
      files: { 'main.py': python, 'solution.py': code, 'tests.py': tests },
      // Isolated: neither the user's packages nor variables of the environment.
      command: [command ?? 'python3', '-I', '-B', 'main.py'],
      boundsAddressSpace: true,
      passedMark,
    };
  }
  return {
    files: { 'main.mjs': javascript, 'tests.mjs': `${code}\n;\n${tests}\n` },
    command: [command ?? process.execPath, 'main.mjs'],
    boundsAddressSpace: false,
    memoryFlag: (bytes) => `--max-old-space-size=${Math.max(16, Math.floor(bytes / 2 ** 20))}`,
    passedMark,
  };
}

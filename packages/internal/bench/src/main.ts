import { resolve } from 'node:path';
import { ArtError } from '@art/ground';
import { help, parseBenchOptions } from './bench-options.ts';
import { writeReport } from './report/write-report.ts';
import { runBenchmarks } from './run-benchmarks.ts';

try {
  const options = parseBenchOptions(process.argv.slice(2));
  if (options === 'help') {
    console.log(help);
  } else {
    // pnpm changes into the package; a path is meant from where the user is.
    const directory = resolve(process.env['INIT_CWD'] ?? process.cwd(), options.outDirectory);
    const report = await runBenchmarks(options, { log: (line) => console.log(line) });
    console.log(`\n${await writeReport(report, directory)}\nWritten to ${directory}`);
  }
} catch (error) {
  if (!ArtError.isInstance(error)) throw error;
  console.error(`${error.message}\n\n${help}`);
  process.exitCode = 2;
}

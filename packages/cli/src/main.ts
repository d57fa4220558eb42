#!/usr/bin/env node
import { exitCodes } from './exit-codes.ts';
import { nodeVersionProblem } from './node-version.ts';
import { processContext } from './process-context.ts';
import { runCli } from './run-cli.ts';

const problem = nodeVersionProblem(process.versions.node);
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = exitCodes.infrastructure;
} else {
  // Not process.exit: what is still being written to a pipe would be cut off.
  void runCli(process.argv.slice(2), processContext()).then((code) => {
    process.exitCode = code;
  });
}

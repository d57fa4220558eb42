#!/usr/bin/env node
import { processContext } from './process-context.ts';
import { runCli } from './run-cli.ts';

// Not process.exit: what is still being written to a pipe would be cut off.
void runCli(process.argv.slice(2), processContext()).then((code) => {
  process.exitCode = code;
});

#!/usr/bin/env node
import { loopbackWithoutProxy } from '@art/ground';
import { exitCodes } from './exit-codes.ts';
import { nodeVersionProblem } from './node-version.ts';
import { processContext } from './process-context.ts';
import { runCli } from './run-cli.ts';

/** How long what a command left open may take to close by itself. */
const lingerMs = 1_000;

const problem = nodeVersionProblem(process.versions.node);
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = exitCodes.infrastructure;
} else {
  // Calls on this machine never go to a proxy of the shell. Node looks at the variable for each call.
  Object.assign(process.env, loopbackWithoutProxy(process.env));
  void runCli(process.argv.slice(2), processContext()).then((code) => {
    // Not process.exit: what is still being written to a pipe would be cut off.
    process.exitCode = code;
    // A module of the user's, such as a judge with a pool of connections, must not hold the command up when all is done.
    setInterval(() => {
      if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
    }, lingerMs).unref();
  });
}

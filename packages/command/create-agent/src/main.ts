#!/usr/bin/env node
import { ArtError } from '@art/ground';
import { CommanderError } from 'commander';
import { initCommand } from './init-command.ts';
import { runInit } from './run-init.ts';
import { swallowedOptions } from './swallowed-options.ts';

const called = { name: 'create-agent', command: 'npm create @art/agent', dashes: '-- ' };
const command = initCommand(async (options) => {
  process.exitCode = await runInit(options, {
    stdin: process.stdin,
    stdout: process.stdout,
    cwd: process.cwd(),
    env: process.env,
  });
}, called).exitOverride();

const advice = swallowedOptions(process.argv.slice(2), process.env);
if (advice !== undefined) {
  console.error(`error: ${advice}`);
  process.exit(2);
}
command.parseAsync().catch((error: unknown) => {
  // Commander has told its own errors already; what is no ArtError is a bug of ours, and its stack is wanted.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else if (ArtError.isInstance(error)) {
    console.error(`error: ${error.message}`);
    process.exitCode = 2;
  } else throw error;
});

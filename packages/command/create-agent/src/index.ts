export { createProject, type ProjectOptions } from './create-project.ts';
export { type Framework, frameworks } from './frameworks.ts';
export { initCommand, type InitOptions } from './init-command.ts';
export { type TextInput } from './line-reader.ts';
export { type InitContext, runInit } from './run-init.ts';

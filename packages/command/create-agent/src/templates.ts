import type { Framework } from './frameworks.ts';

export interface Template {
  /** The framework's name for people. */
  title: string;
  /** How it is deployed: as one file where that can hold all of it. */
  build: 'CodeZip' | 'Container';
  /** Sections of the README: the line for the endpoint, and what goes wrong without it. */
  notes: string;
  /** Text by path. */
  files: Readonly<Record<string, string>>;
  /** Exact versions. */
  dependencies: Readonly<Record<string, string>>;
  devDependencies: Readonly<Record<string, string>>;
}

export type Templates = Readonly<Record<Framework, Template>>;

/**
 * The templates. The build puts their finished text in the place of this file; in the workspace, where nothing has been built,
 * they are read from the examples.
 */
export async function loadTemplates(): Promise<Templates> {
  const reader = new URL('../read-templates.ts', import.meta.url).href;
  const { readTemplates } = (await import(reader)) as { readTemplates: () => Promise<Templates> };
  return readTemplates();
}

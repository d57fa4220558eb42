import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A task that a coding agent can do by a written guide: https://agentskills.io/specification. */
export interface Skill {
  /** Name of the skill and of its folder. */
  name: string;
  /** Purpose of the skill, and when to take it. */
  description: string;
  /** All of `SKILL.md`. */
  text: string;
}

/** Published with this package; `src` and `dist` both stand beside it. */
const folder = fileURLToPath(new URL('../skills/', import.meta.url));

export async function loadSkills(): Promise<Skill[]> {
  const names = (await readdir(folder)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name, 'SKILL.md'), 'utf8');
      const [, description] = /^description: (.+)$/m.exec(text)!;
      return { name, description: description!, text };
    }),
  );
}

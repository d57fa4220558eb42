import type { Skill } from './skills.ts';

const pathOf = ({ name }: Skill): string => `.agents/skills/${name}/SKILL.md`;
/** Claude Code looks nowhere else. */
const claudePathOf = ({ name }: Skill): string => `.claude/skills/${name}/SKILL.md`;

/**
 * Files that coding agents read in a project: the skills where most of them look, and `AGENTS.md`, which names them for
 * the others.
 * @returns the text of each file by its path; those of `skills` are ours to replace, those of `guides` are the
 * project's own
 */
export function guideFiles(skills: readonly Skill[]): {
  skills: Record<string, string>;
  guides: Record<string, string>;
} {
  const list = skills.map((skill) => `- [${skill.name}](${pathOf(skill)}): ${skill.description}\n`).join('');
  return {
    skills: Object.fromEntries(
      [pathOf, claudePathOf].flatMap((path) => skills.map((skill) => [path(skill), skill.text])),
    ),
    guides: { 'AGENTS.md': `${guide}${list}`, 'CLAUDE.md': '@AGENTS.md\n' },
  };
}

const guide = `# For coding agents

ART for TypeScript measures the agent of this project, and lets a trainer learn from it on Amazon Bedrock AgentCore Runtime: \`@art/agent\` in the
agent, the command \`art\` of \`@art/cli\` beside it. Below, \`agent.ts\` stands for the file that starts the agent.

- \`npx --no-install art --help\` lists the commands; each has its own \`--help\`. Keep \`--no-install\`: npm has an unrelated package named art.
- Exit code 0 is good, 1 means that something was found or not reached, 2 wrong usage, 3 cannot be judged.
- After a change to the agent run \`npx --no-install art doctor agent.ts\`; it must end with 0.
- After a change to the reward or the prompt evaluate, and compare with the run before.
- A machine, a model or a database that fails is never a reward of 0: throw \`InfrastructureError\`.
- The model's client is made for each request, from \`context.rollout\`.
- \`art train\` on anything but \`--on local\`, and \`art deploy --run\`, cost money: ask before.
- Runs are in \`.art/\`. Do not commit them.

Read the skill before you begin one of these tasks:

`;

import { agentcoreFiles, projectNameFrom } from '@art/deploy';
import { guideFiles } from './guide-files.ts';
import type { Skill } from './skills.ts';
import type { Template } from './templates.ts';

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/**
 * Every file of a new project.
 * @param name of its package
 * @returns the text of each file by its path, with `/` between folders
 */
export function projectFiles(
  name: string,
  template: Template,
  skills: readonly Skill[],
): Record<string, string> {
  const forAgents = guideFiles(skills);
  return {
    ...template.files,
    'package.json': json(manifest(name, template)),
    'tsconfig.json': json(compilerOptions),
    'README.md': readme(name, template),
    '.gitignore': 'node_modules/\n.art/\n.env\n.env.*\n',
    '.github/workflows/evaluate.yml': workflow,
    ...forAgents.guides,
    ...forAgents.skills,
    ...agentcoreFiles({
      agent: 'agent.ts',
      project: projectNameFrom(name),
      build: template.build,
      loadedFirst: { usesTsx: false, snapshotSafe: '@art/agent/snapshot-safe' },
    }),
  };
}

function manifest(name: string, { dependencies, devDependencies }: Template): object {
  return {
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    scripts: {
      dev: 'art dev agent.ts',
      eval: 'art eval agent.ts --tasks tasks.jsonl --mock-model model.ts',
      // A rehearsal with a script for both models. With real ones, name them, and tasks that are held out.
      improve:
        'art improve agent.ts --tasks tasks.jsonl --validate tasks.jsonl --budget 60 --mock-model model.ts --reflect-model reflecting --sessions server',
      // A rehearsal, which costs nothing: "--on sagemaker" and "--on tinker" train.
      train: 'art train agent.ts --tasks tasks.jsonl --on local --steps 2 --groups 2 --rollouts 2',
      audit: 'art audit --tasks tasks.jsonl --reward reward.ts --answer-field text',
      typecheck: 'tsc',
    },
    dependencies,
    devDependencies,
    engines: { node: '>=22.19' },
  };
}

// Node runs the files as they are, so only types that can be stripped are allowed.
const compilerOptions = {
  compilerOptions: {
    target: 'ES2024',
    module: 'NodeNext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['*.ts'],
};

const workflow = `# Evaluates the agent with the scripted model. For a real one replace --mock-model by --base-url and --model-id.
name: evaluate
on: [push, pull_request]
permissions:
  contents: read
jobs:
  evaluate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 22
          cache: npm
      - run: npm ci
      - run: npm run typecheck
      - run: npm run eval -- --min-reward 0.7
`;

function readme(name: string, { title, notes }: Template): string {
  return `# ${name}

An agent on ${title} that solves maths problems with a calculator. It answers your users, and a trainer can learn from it.

\`\`\`sh
npm install
npm run eval
\`\`\`

Each of the ten problems of \`tasks.jsonl\` runs in its own process, and a table says how many were solved. A script, \`model.ts\`, plays
the model, and makes two mistakes. With a real model, anything with OpenAI's API:

\`\`\`sh
npx --no-install art eval agent.ts --tasks tasks.jsonl --base-url http://127.0.0.1:8000/v1 --model-id my-model --watch
\`\`\`

\`npm run improve\` rehearses the search for a better prompt: the script believes its own hint, and solves the two problems that it had wrong.
\`npm run train\` rehearses training on this machine: a small random policy plays the model, two steps are made, and the score means nothing.
It proves the agent, the reward and the loop before the first token is paid. \`npm run audit\` attacks the reward with answers that solve nothing.

| file          | what is in it                                             |
| ------------- | --------------------------------------------------------- |
| \`agent.ts\`    | the agent: replace the tool, the instructions, the schema |
| \`reward.ts\`   | how an answer is judged                                   |
| \`tasks.jsonl\` | problems with their answers                               |
| \`model.ts\`    | the script that plays the model                           |
| \`agentcore/\`  | what AWS's command line deploys, with the client's rights |
| \`AGENTS.md\`   | what coding agents read, with the skills in \`.agents/\`    |

${notes}
## Next

\`\`\`sh
npm run dev                                                          # AgentCore on your machine, in one terminal
npx --no-install art invoke '{"prompt":"What is 6 times 7?"}'         # a user's request, in another one
npx --no-install art doctor agent.ts                                 # what AgentCore and trainers stumble over
npx --no-install art deploy --dry-run                                # what AWS would get
\`\`\`

The second one asks the model of your users, so set its key before, as the framework wants it; without one the doctor plays the model. \`.github/workflows/evaluate.yml\` evaluates each push: commit
\`package-lock.json\` with the rest.
`;
}

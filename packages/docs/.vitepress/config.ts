import { globSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';

const repository = 'https://github.com/art-typescript/art';

/** Every page, in the order in which a newcomer needs them. */
const sections = [
  {
    text: 'Begin',
    items: [
      { text: 'Start in five minutes', link: '/start' },
      { text: 'Adapt your agent', link: '/adapt' },
      { text: 'Adapt: your framework', link: '/adapt-frameworks' },
      { text: 'Coming from the Python toolkit', link: '/coming-from-python' },
      { text: 'Rewards', link: '/rewards' },
      { text: 'Evaluate', link: '/evaluate' },
      { text: 'Health of a run', link: '/health' },
    ],
  },
  {
    text: 'Train',
    items: [
      { text: 'Batches', link: '/batches' },
      { text: 'Groups', link: '/groups' },
      { text: 'Outcomes', link: '/outcomes' },
      { text: 'Capture tokens', link: '/capture-tokens' },
      { text: 'What trains', link: '/what-trains' },
      { text: 'Training rows', link: '/training-rows' },
      { text: 'The journal', link: '/journal' },
      { text: 'How results are noticed', link: '/watching' },
      { text: 'From a prototype to a trained agent', link: '/train' },
      { text: 'Train with TRL, verl, slime ...', link: '/train-with' },
      { text: 'Train with SageMaker', link: '/train-with-sagemaker' },
      { text: 'Your own task', link: '/your-own-task' },
      { text: 'Export rollouts', link: '/export' },
    ],
  },
  {
    text: 'Operate',
    items: [
      { text: 'Deploy', link: '/deploy' },
      { text: 'After the deployment', link: '/operate/deployment' },
      { text: 'Quotas and cost', link: '/operate/quotas-and-cost' },
      { text: 'Stuck and lost sessions', link: '/operate/stuck-sessions' },
      { text: 'Traces', link: '/operate/traces' },
      { text: 'Try out failures', link: '/operate/faults' },
      { text: 'Run gateways', link: '/operate/gateways' },
    ],
  },
  {
    text: 'Extend',
    items: [{ text: 'Write your own store', link: '/custom-store' }],
  },
  {
    text: 'Reference',
    items: [
      { text: 'The art command', link: '/reference/cli' },
      { text: 'What the commands do', link: '/reference/commands' },
      { text: 'The agent server', link: '/reference/agent-server' },
      { text: 'What goes over the wire', link: '/reference/wire' },
      { text: 'Options of the client', link: '/reference/client-options' },
      { text: 'Options of the agent server', link: '/reference/server-options' },
      { text: 'Options of the gateway', link: '/reference/gateway-options' },
      { text: "The gateway's routes", link: '/reference/gateway-http' },
      { text: "The gateway's configuration file", link: '/reference/gateway-config' },
      { text: 'Options of an evaluation', link: '/reference/eval-options' },
      { text: 'Evaluations', link: '/reference/evaluations' },
      { text: 'Intervals and tests', link: '/reference/intervals' },
      { text: 'Reward functions', link: '/reference/reward-functions' },
      { text: 'Stores', link: '/reference/stores' },
      { text: 'Calls to AgentCore', link: '/reference/agentcore-calls' },
      { text: 'The local AgentCore', link: '/reference/local-agentcore' },
      { text: 'Fault plans', link: '/reference/fault-plans' },
      { text: 'The conformance list of RIP', link: '/reference/rip-conformance' },
      { text: 'Error codes', link: '/error-codes' },
      { text: 'Versions', link: '/reference/versions' },
      { text: 'Architecture', link: '/architecture' },
      { text: 'Decisions', link: '/decisions/' },
    ],
  },
];

const root = join(import.meta.dirname, '..');
const linked = new Set(sections.flatMap(({ items }) => items.map(({ link }) => link)));
const unlinked = globSync('**/*.md', { cwd: root, exclude: (path) => path === 'node_modules' })
  .map((path) => `/${path.replace(/(README|index)?\.md$/, '')}`)
  .filter((link) => link !== '/' && !link.startsWith('/decisions/0') && !linked.has(link));
if (unlinked.length > 0) throw new Error(`No section of ${import.meta.filename} has ${unlinked.join(', ')}.`);

export default defineConfig({
  title: 'ART for TypeScript',
  description: 'The agent you train is the agent you deploy',
  lang: 'en',
  cleanUrls: true,
  outDir: join(root, 'dist'),
  rewrites: { 'README.md': 'index.md', 'decisions/README.md': 'decisions/index.md' },
  themeConfig: {
    sidebar: sections,
    search: { provider: 'local' },
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: repository }],
    editLink: { pattern: `${repository}/edit/main/packages/docs/:path`, text: 'Change this page' },
  },
});

import { globSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { frameworkPages, linkFrameworkPages } from './framework-pages.ts';
import { writeLlmsTexts, writePages } from './write-texts.ts';
import { packageManagerTabs } from './package-manager-tabs.ts';
import { refuseWideCode } from './refuse-wide-code.ts';

const repository = 'https://github.com/art-typescript/art';

/** Every page, by what a reader wants: to learn, to do, to understand, to look up. */
const sections = [
  {
    text: 'Tutorials',
    items: [
      { text: 'Your agent as it is', link: '/as-it-is' },
      { text: 'Start in five minutes', link: '/start' },
      { text: 'The ladder: from a figure to a trained agent', link: '/ladder' },
      { text: 'From a prototype to a trained agent', link: '/train' },
      { text: 'Your own task', link: '/your-own-task' },
      { text: 'A domain, before and after', link: '/before-and-after' },
    ],
  },
  {
    text: 'How to: adapt',
    items: [
      { text: 'Adapt by one command', link: '/adapt-command' },
      { text: 'Adapt your agent', link: '/adapt' },
      { text: 'Adapt: your framework', link: '/adapt-frameworks' },
      { text: 'Adapt: your project', link: '/adapt-projects' },
      { text: 'Let a coding agent do it', link: '/coding-agents' },
      { text: 'Coming from the Python toolkit', link: '/coming-from-python' },
      { text: 'Coming from other tools', link: '/coming-from' },
    ],
  },
  {
    text: 'The diff on your framework',
    collapsed: true,
    items: frameworkPages.map(({ text, framework }) => ({ text, link: `/frameworks/${framework}` })),
  },
  {
    text: 'How to: measure',
    items: [
      { text: 'Evaluate', link: '/evaluate' },
      { text: 'Evaluate in CI', link: '/evaluate-in-ci' },
      { text: 'Agents x models x prompts', link: '/matrix' },
      { text: 'Plan, and bound what it costs', link: '/plan-and-ceilings' },
      { text: 'Improve the prompt', link: '/improve' },
      { text: 'Rewards', link: '/rewards' },
      { text: 'Tasks and data', link: '/tasks' },
      { text: 'Attack a reward', link: '/audit' },
      { text: 'Measure a judge', link: '/measure-a-judge' },
      { text: 'Health of a run', link: '/health' },
      { text: 'Troubleshooting', link: '/troubleshooting' },
    ],
  },
  {
    text: 'How to: train',
    items: [
      { text: 'Batches', link: '/batches' },
      { text: 'Groups', link: '/groups' },
      { text: 'Capture tokens', link: '/capture-tokens' },
      { text: 'The journal', link: '/journal' },
      { text: 'Export rollouts', link: '/export' },
      { text: 'Choices of a training run', link: '/training-choices' },
      { text: 'Train with TRL, verl, slime ...', link: '/train-with' },
      { text: 'Train with SageMaker', link: '/train-with-sagemaker' },
      { text: 'Train with Agent Lightning', link: '/train-with-agent-lightning' },
    ],
  },
  {
    text: 'How to: operate',
    items: [
      { text: 'Deploy', link: '/deploy' },
      { text: 'After the deployment', link: '/operate/deployment' },
      { text: 'Sessions from a snapshot', link: '/operate/snapshots' },
      { text: 'Run gateways', link: '/operate/gateways' },
      { text: 'Stuck and lost sessions', link: '/operate/stuck-sessions' },
      { text: 'Traces', link: '/operate/traces' },
      { text: 'Try out failures', link: '/operate/faults' },
      { text: 'Write your own store', link: '/custom-store' },
    ],
  },
  {
    text: 'Explanation',
    items: [
      { text: 'How it works', link: '/how-it-works' },
      { text: 'What trains', link: '/what-trains' },
      { text: 'Training rows', link: '/training-rows' },
      { text: 'How results are noticed', link: '/watching' },
      { text: 'Quotas and cost', link: '/operate/quotas-and-cost' },
      { text: 'Architecture', link: '/architecture' },
      { text: 'Decisions', link: '/decisions/' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Glossary', link: '/glossary' },
      { text: 'Outcomes', link: '/outcomes' },
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
      { text: 'Settings of a runtime', link: '/reference/runtime-settings' },
      { text: 'The local AgentCore', link: '/reference/local-agentcore' },
      { text: 'The local S3 endpoint', link: '/reference/local-s3' },
      { text: 'Faults on purpose', link: '/reference/faults' },
      { text: 'Fault plans', link: '/reference/fault-plans' },
      { text: 'Health checks', link: '/reference/health-checks' },
      { text: 'Pings from a thread', link: '/reference/ping-thread' },
      { text: 'The socket into a session', link: '/reference/reach' },
      { text: 'Results announced by S3', link: '/reference/s3-events' },
      { text: 'Shared pacing', link: '/reference/shared-pacing' },
      { text: 'Names of spans', link: '/reference/telemetry' },
      { text: 'The conformance list of RIP', link: '/reference/rip-conformance' },
      { text: 'Error codes', link: '/error-codes' },
      { text: 'Versions', link: '/reference/versions' },
    ],
  },
];

const root = join(import.meta.dirname, '..');
const linked = new Set(sections.flatMap(({ items }) => items.map(({ link }) => link)));
const unlinked = globSync('**/*.md', { cwd: root, exclude: (path) => /^(node_modules|dist)$/.test(path) })
  .map((path) => `/${path.replace(/(README|index)?\.md$/, '')}`)
  .filter((link) => link !== '/' && !/^\/(decisions\/0|frameworks\/\[)/.test(link) && !linked.has(link));
if (unlinked.length > 0) throw new Error(`No section of ${import.meta.filename} has ${unlinked.join(', ')}.`);

/** The file of a page, from the root of the repository. */
function sourceOf(link: string): string {
  const [, framework] = /^\/frameworks\/(.+)/.exec(link) ?? [];
  if (framework !== undefined) return `examples/${framework}/README.md`;
  return `packages/internal/docs${link.endsWith('/') ? `${link}README` : link}.md`;
}

const title = 'ART for TypeScript';
const description =
  'Measure the TypeScript agent that you run on Amazon Bedrock AgentCore, and train its model';

export default defineConfig({
  title,
  description,
  lang: 'en',
  cleanUrls: true,
  outDir: join(root, 'dist'),
  rewrites: { 'README.md': 'index.md', 'decisions/README.md': 'decisions/index.md' },
  // The first page has room for its pictures beside one another.
  transformPageData: ({ relativePath, frontmatter }) => {
    if (relativePath === 'index.md') Object.assign(frontmatter, { aside: false, sidebar: false });
  },
  markdown: {
    config: (markdown) => {
      packageManagerTabs(markdown);
      refuseWideCode(markdown);
      linkFrameworkPages(markdown);
    },
  },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'How it works', link: '/how-it-works' },
      { text: 'The ladder', link: '/ladder' },
      { text: 'Troubleshooting', link: '/troubleshooting' },
      { text: 'art', link: '/reference/cli' },
    ],
    sidebar: sections,
    search: { provider: 'local' },
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: repository }],
    editLink: {
      text: 'Edit this page',
      // Runs in the page, so all that it needs stands in it.
      pattern: ({ filePath, params }) =>
        `https://github.com/art-typescript/art/edit/main/${params === undefined ? `packages/internal/docs/${filePath}` : `examples/${params.framework}/README.md`}`,
    },
  },
  buildEnd: async ({ outDir, pages }) => {
    await writePages(outDir, pages);
    await writeLlmsTexts(
      outDir,
      { title, description, repository },
      sections.map(({ text, items }) => ({
        text,
        pages: items.map((item) => ({ title: item.text, source: sourceOf(item.link) })),
      })),
    );
  },
});

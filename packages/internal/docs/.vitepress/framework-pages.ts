import type { MarkdownRenderer } from 'vitepress';

/** Pages made of the READMEs of `examples`, in the order of `npm create @art/agent`. */
export const frameworkPages: readonly { text: string; framework: string }[] = [
  { text: 'openai', framework: 'openai' },
  { text: 'Strands', framework: 'strands' },
  { text: 'AI SDK', framework: 'vercel-ai' },
  { text: 'Mastra', framework: 'mastra' },
  { text: 'LangGraph.js', framework: 'langgraph' },
  { text: 'OpenAI Agents', framework: 'openai-agents' },
  { text: 'Claude Agent SDK', framework: 'claude-agent-sdk' },
];

/** A link to the README of a framework, as GitHub needs it, leads to its page on the site. */
export function linkFrameworkPages(markdown: MarkdownRenderer): void {
  const readme =
    /^https:\/\/github\.com\/[^/]+\/[^/]+\/(?:tree|blob)\/main\/examples\/([\w-]+)(?:\/README\.md|#readme)$/;
  markdown.core.ruler.push('link-framework-pages', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const [, name] = readme.exec(token.attrGet('href') ?? '') ?? [];
      if (frameworkPages.some(({ framework }) => framework === name))
        token.attrSet('href', `/frameworks/${name}`);
    }
  });
}

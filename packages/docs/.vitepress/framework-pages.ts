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

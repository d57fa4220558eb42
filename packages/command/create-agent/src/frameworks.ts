/** Frameworks that a new project can be built on; each is a folder of `examples`. */
export const frameworks = [
  'openai',
  'strands',
  'vercel-ai',
  'mastra',
  'langgraph',
  'openai-agents',
  'claude-agent-sdk',
] as const;

export type Framework = (typeof frameworks)[number];

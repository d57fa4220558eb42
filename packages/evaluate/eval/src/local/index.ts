export { localAgent, type LocalAgent, type EvaluatedLocalAgentOptions } from './local-agent.ts';

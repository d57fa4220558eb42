export { localAgent, type LocalAgent, type LocalAgentOptions } from './local-agent.ts';

/** An agent whose tools are at a server that is down, such as one of MCP. */
import { AgentCoreRLApp, InfrastructureError } from '@art/agent';

const app = new AgentCoreRLApp({
  invocationHandler: {
    process: async () => {
      const tools = await fetch('http://127.0.0.1:1/mcp').catch((cause: unknown) => {
        throw new InfrastructureError('The MCP server does not answer.', { cause });
      });
      return { text: await tools.text(), reward: 1 };
    },
  },
});
void app.run();

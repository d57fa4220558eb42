/**
 * Gateways in a their own process, for those who are not Node or want to kill one.
 *
 *   node --conditions=@art/source src/gateway/gateway-host.ts
 *
 * Each line of its input is JSON and is answered by a line: `{"start": configuration}`, with the names of
 * rllm-model-gateway's YAML files, by `{"url"}`; `{"stop": url}` by `{"stopped"}`. It ends with its input, so that it cannot
 * outlive who started it.
 */
import { createInterface } from 'node:readline';
import { readGatewayConfig, startGateway, type Gateway } from '@art/gateway';

type Command = { start: Record<string, unknown> } | { stop: string };

const gateways = new Map<string, Gateway>();
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await obey(JSON.parse(line) as Command))}\n`);
}
await Promise.all([...gateways.values()].map((gateway) => gateway.close()));

async function obey(command: Command): Promise<object> {
  if ('start' in command) {
    const { options } = readGatewayConfig(JSON.stringify(command.start));
    const gateway = await startGateway({ port: 0, logLevel: 'silent', ...options });
    gateways.set(gateway.url, gateway);
    return { url: gateway.url };
  }
  await gateways.get(command.stop)?.close();
  gateways.delete(command.stop);
  return { stopped: command.stop };
}

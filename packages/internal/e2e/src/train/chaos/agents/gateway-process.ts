import { startGateway } from '@art/gateway';
import { type SampledAnswer, tokenEngine } from '@art/token-engine';

export interface GatewayTask {
  port: number;
  /** Folder of captures, which outlive the process. */
  directory: string;
  /** Folder of the tokenizer. */
  checkpoint: string;
  /** Where the loop samples. */
  samplerUrl: string;
}

const { port, directory, checkpoint, samplerUrl } = JSON.parse(process.argv[2] ?? '{}') as GatewayTask;
const engine = tokenEngine({
  sampler: {
    sample: async (request, signal) => {
      const answer = await fetch(samplerUrl, { method: 'POST', body: JSON.stringify(request), signal });
      if (!answer.ok) throw new Error(`HTTP ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as SampledAnswer[];
    },
    minSampleTokens: 512,
  },
  checkpoint,
  renderThreads: 1,
});
const gateway = await startGateway({
  port,
  logLevel: 'silent',
  engine,
  cumulativeTokenMode: true,
  store: { directory },
});
process.on('disconnect', () => process.exit());
process.send!(gateway.url);

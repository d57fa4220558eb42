import { settleWithin, ArtError, shownUrl } from '@art/ground';
import type { CliContext } from '../cli-context.ts';

const sdkPackage = '@opentelemetry/sdk-node';
// Spans leave this machine: the command line, with the keys in it, is no resource attribute unless the user asks for it.
const detectorVariable = 'OTEL_NODE_RESOURCE_DETECTORS';
const detectors = 'host,service';
// A collector that cannot be reached must not hold the command up.
const lastSendMs = 5_000;

/**
 * Has OpenTelemetry send the spans of this process and of the agents that it starts, as the `OTEL_*` variables say; until it is
 * disposed, which sends what is left. Agents in Node load the SDK before their own code, by NODE_OPTIONS.
 * @param service what viewers call this process, unless OTEL_SERVICE_NAME says otherwise
 * @throws ArtError `ART_OTEL_MISSING`
 */
export async function startTelemetry(
  service: string,
  { env, stderr }: Pick<CliContext, 'env' | 'stderr'>,
): Promise<AsyncDisposable> {
  const { startNodeSdk } = await import('@opentelemetry/sdk-node').catch((cause: unknown) => missing(cause));
  const ownDetectors = env[detectorVariable] === undefined;
  if (ownDetectors) env[detectorVariable] = detectors;
  const sdk = startNodeSdk({
    metricReaders: [],
    logRecordProcessors: [],
    logLevel: env['OTEL_LOG_LEVEL'] ?? 'error',
    resourceAttributes: { 'service.name': env['OTEL_SERVICE_NAME'] ?? service },
  });
  const ofShell = env['NODE_OPTIONS'];
  env['NODE_OPTIONS'] = [ofShell, `--import=${agentSetup()}`]
    .filter((options) => options !== undefined)
    .join(' ');
  const endpoint = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  stderr.write(
    `Traces go over OTLP to ${shownUrl(endpoint ?? 'http://localhost:4318')}${endpoint === undefined ? '; OTEL_EXPORTER_OTLP_ENDPOINT names another place' : ''}.\n`,
  );
  return {
    async [Symbol.asyncDispose]() {
      if (ofShell === undefined) delete env['NODE_OPTIONS'];
      else env['NODE_OPTIONS'] = ofShell;
      if (ownDetectors) delete env[detectorVariable];
      await settleWithin([sdk.shutdown()], lastSendMs);
    },
  };
}

/** A module that agents load first, as an address: they need not have the SDK themselves. */
function agentSetup(): string {
  const sdk = JSON.stringify(import.meta.resolve(sdkPackage));
  const name = "{'service.name':process.env.OTEL_SERVICE_NAME??'agent'}";
  const options = `{metricReaders:[],logRecordProcessors:[],logLevel:'error',resourceAttributes:${name}}`;
  return `data:text/javascript,${encodeURIComponent(`import{startNodeSdk}from${sdk};startNodeSdk(${options})`)}`;
}

function missing(cause: unknown): never {
  throw new ArtError({
    code: 'ART_OTEL_MISSING',
    message: `Expected the SDK of OpenTelemetry beside art for --otel, found none. Run "npm install --save-dev @opentelemetry/api ${sdkPackage}".`,
    cause,
  });
}

import type * as api1 from '@opentelemetry/api';

export type Api = typeof api1;

/** The key under which every copy of the API, of any version, registers an application's SDK. */
const registry = Symbol.for('opentelemetry.js.api.1');

let api: Api | 'unusable' | undefined;
let loading: Promise<void> | undefined;

function registered(): { version: string; trace: object } | undefined {
  const globals = (globalThis as { [registry]?: { version: string; trace?: object } })[registry];
  return globals?.trace && { version: globals.version, trace: globals.trace };
}

/**
 * The promise to await before spans can be made: undefined where there is nothing to wait for, because no SDK is
 * registered or the API is here already. An SDK may be registered at any time; spans begin with the next wait.
 */
export function telemetryReady(): Promise<void> | undefined {
  if (api !== undefined || registered() === undefined) return undefined;
  loading ??= load();
  return loading;
}

/** The API, where an SDK is registered and the API was loaded. */
export function openTelemetry(): Api | undefined {
  return api === 'unusable' || registered() === undefined ? undefined : api;
}

// It is an optional peer: where an application has an SDK it has the API as well.
async function load(): Promise<void> {
  const loaded = await import('@opentelemetry/api').catch(() => undefined);
  api = loaded ?? 'unusable';
  if (loaded === undefined)
    warn(
      'An OpenTelemetry SDK is registered, and "@opentelemetry/api" cannot be loaded, so ART makes no spans. Run "npm install @opentelemetry/api".',
    );
  else if (!usesRegistered(loaded))
    warn(
      `An OpenTelemetry SDK is registered through @opentelemetry/api ${registered()?.version}, and ART finds a newer copy of that package, which does not speak to it: there are no spans. Install the version that the SDK has: "npm install @opentelemetry/api@${registered()?.version}".`,
    );
}

/**
 * Members of providers beyond the API: that of the API stands for the one that was registered, and those of SDKs can be
 * flushed.
 */
interface FlushedProvider {
  getDelegate?: () => FlushedProvider;
  forceFlush?: () => Promise<void>;
}

/**
 * Has the SDK send what has ended, for a process that may be stopped before the SDK does that by itself.
 * @throws what the SDK's processors fail with
 */
export async function flushSpans(): Promise<void> {
  const provider = openTelemetry()?.trace.getTracerProvider() as FlushedProvider | undefined;
  const sdk = provider?.getDelegate?.() ?? provider;
  await sdk?.forceFlush?.();
}

/**
 * True if spans of this copy reach the SDK: a copy that is newer than the one of the SDK silently gives spans that are
 * none.
 */
export function usesRegistered({ trace }: { trace: { getTracerProvider: () => object } }): boolean {
  return trace.getTracerProvider() === registered()?.trace;
}

function warn(message: string): void {
  process.emitWarning(message, 'ArtWarning');
}

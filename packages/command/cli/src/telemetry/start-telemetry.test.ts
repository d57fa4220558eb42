import { expect, it, vi } from 'vitest';
import { startTelemetry } from './start-telemetry.ts';

// As where the package is not installed.
vi.mock('@opentelemetry/sdk-node', () => {
  throw new Error("Cannot find package '@opentelemetry/sdk-node'");
});

it('without the SDK the command says what to install, before it changes anything', async () => {
  const env = { NODE_OPTIONS: '--no-warnings' };
  const written: string[] = [];
  const stderr = { write: (text: string) => void written.push(text) };
  await expect(startTelemetry('art eval', { env, stderr })).rejects.toThrowError(
    expect.objectContaining({
      code: 'ART_OTEL_MISSING',
      message: expect.stringContaining(
        'npm install --save-dev @opentelemetry/api @opentelemetry/sdk-node',
      ) as string,
    }) as Error,
  );
  expect({ env, written }).toEqual({ env: { NODE_OPTIONS: '--no-warnings' }, written: [] });
});

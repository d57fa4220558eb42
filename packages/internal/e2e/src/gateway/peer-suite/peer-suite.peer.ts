import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pythonEnvironment } from '../../interop/run-python.ts';
import { isPythonMissing, peerSources, pythonExecutable } from '../provided-gateway-python.fixture.ts';

/** Test files that speak HTTP; the others look into Python objects. */
const files = [
  'test_server.py',
  'test_gateway_client.py',
  'test_training_workflow.py',
  'test_error_resilience.py',
  'test_concurrent_sessions.py',
];

describe.skipIf(isPythonMissing)("rllm-model-gateway's own tests", () => {
  it('pass with our server behind create_app', { timeout: 400_000 }, async () => {
    const directory = await mkdtemp(join(tmpdir(), 'art-peer-suite-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
    const report = join(directory, 'report.xml');
    const sources = join(peerSources, 'rllm_model_gateway-0.1.0');
    const here = import.meta.dirname;
    const run = promisify(execFile)(
      pythonExecutable,
      [
        '-m',
        'pytest',
        '-q',
        '-p',
        'art_gateway_plugin',
        '-p',
        'no:cacheprovider',
        `--rootdir=${sources}`,
        `--basetemp=${join(directory, 'tmp')}`,
        `--junitxml=${report}`,
        ...files.map((file) => join('tests/unit', file)),
      ],
      {
        cwd: sources,
        timeout: 380_000,
        env: pythonEnvironment({
          PYTHONPATH: [here, join(here, 'stand-ins'), sources].join(delimiter),
          PYTHONDONTWRITEBYTECODE: '1',
          // A gateway that a test kills leaves its files there.
          TMPDIR: directory,
          ART_NODE: process.execPath,
          ART_GATEWAY_HOST: join(here, '../gateway-host.ts'),
        }),
      },
    );
    await run.catch((error: Error & { stdout?: string }) => {
      throw new Error(`the tests failed:\n${(error.stdout ?? error.message).slice(-8_000)}`);
    });
    const [, errors, failures, skipped, tests] =
      /errors="(\d+)" failures="(\d+)" skipped="(\d+)" tests="(\d+)"/.exec(await readFile(report, 'utf8')) ??
      [];
    expect({ errors, failures, skipped, tests }).toEqual({
      errors: '0',
      failures: '0',
      skipped: '0',
      tests: '105',
    });
  });
});

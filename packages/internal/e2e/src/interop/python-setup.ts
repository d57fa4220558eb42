import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import {
  preparePython,
  toolkitPackages,
  type PythonEnvironment,
  type PythonPackages,
} from './python-environment.ts';

declare module 'vitest' {
  interface ProvidedContext {
    python: PythonEnvironment;
    gatewayPython: PythonEnvironment;
    sagemakerPython: PythonEnvironment;
  }
}

/** The gateway that ours stands in for, the libraries of agents in Python, and those that AWS's evaluators read spans with. */
const gatewayPackages: PythonPackages = {
  requirementsFile: join(import.meta.dirname, '../gateway/requirements.txt'),
  probe: 'rllm_model_gateway, openai, anthropic, pytest_asyncio, strands_evals, opentelemetry.sdk',
  sources: ['rllm-model-gateway==0.1.0'],
  // All that it asks for would be two hundred megabytes.
  bare: ['strands-agents-evals==1.7.0'],
};

/** AWS's Python side of SageMaker's multi-turn RL; all that it asks for would be mlflow and hundreds of megabytes. */
const sagemakerPackages: PythonPackages = {
  requirementsFile: join(import.meta.dirname, '../sagemaker/requirements.txt'),
  probe: 'boto3, pydantic, requests, sagemaker.train',
  bare: ['sagemaker-train==1.27.0', 'sagemaker-core==2.27.0'],
};

const environments = {
  python: toolkitPackages,
  gatewayPython: gatewayPackages,
  sagemakerPython: sagemakerPackages,
};
type EnvironmentName = keyof typeof environments;

/** The values that the tests of a part inject. A value that is forgotten here is undefined there, and its tests fail. */
const ofPart: Readonly<Record<string, readonly EnvironmentName[]>> = {
  wire: ['python', 'sagemakerPython'],
  interop: ['python'],
  gateway: ['gatewayPython'],
};

/** Runs once before all test files, so that they cannot race for the environments. */
export default async function setup(project: TestProject): Promise<void> {
  const part = process.env['ART_TEST_PART'];
  const names = part === undefined ? (Object.keys(environments) as EnvironmentName[]) : (ofPart[part] ?? []);
  await Promise.all(
    names.map(async (name) => project.provide(name, await preparePython(environments[name]))),
  );
}

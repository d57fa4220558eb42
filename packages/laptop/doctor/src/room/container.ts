import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ArtError } from '@art/ground';
import { aroundContainer } from './place.ts';

/** Programs that run images, in the order in which AWS's CLI looks for them. */
const engines = ['docker', 'podman', 'finch'];
/** Where AgentCore calls a container. */
const containerPort = 8080;

/** A container that is about to be started. */
export interface Container {
  command(port: number): string[];
  /** A command. Also what does not listen to signals is gone by it, and what an engine that was killed has left. */
  removal: readonly [program: string, ...args: string[]];
}

/** Finds the program that runs images on this machine. @throws ArtError `ART_NO_CONTAINER_ENGINE` */
export function findContainerEngine(env: NodeJS.ProcessEnv): string {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const found = engines
    .flatMap((engine) => folders.map((folder) => join(folder, engine)))
    .find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new ArtError({
    code: 'ART_NO_CONTAINER_ENGINE',
    message: `Expected ${engines.join(', ')} on PATH to run the image, got none of them. Install one, or check the agent without its image: "art doctor agent.ts".`,
  });
}

/**
 * An image as AgentCore would run it: ARM64.
 * @param env all that it finds in its environment
 */
export function containerOf(engine: string, image: string, env: NodeJS.ProcessEnv): Container {
  const name = `art-doctor-${randomUUID()}`;
  return {
    command: (port) => [
      engine,
      'run',
      '--rm',
      `--name=${name}`,
      '--platform=linux/arm64',
      `--publish=127.0.0.1:${port}:${containerPort}`,
      `--add-host=${aroundContainer.calledAt}:host-gateway`,
      ...Object.entries(env).map(([key, value]) => `--env=${key}=${value ?? ''}`),
      image,
    ],
    removal: [engine, 'rm', '--force', name],
  };
}

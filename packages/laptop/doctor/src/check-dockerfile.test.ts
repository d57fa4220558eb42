import { describe, expect, it } from 'vitest';
import { checkDockerfile } from './check-dockerfile.ts';

const good = `FROM node:22-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev
FROM --platform=linux/arm64 public.ecr.aws/docker/library/node:22-slim
ENV NODE_ENV=production
COPY --from=packages /app/node_modules ./node_modules
COPY . .
USER node
CMD ["node", "agent.ts"]
`;
const last = 'FROM --platform=linux/arm64 public.ecr.aws/docker/library/node:22-slim';

function found(
  dockerfile: string,
  dockerignore: string | undefined = '.env\n.env.*\n',
): Record<string, string> {
  return Object.fromEntries(
    checkDockerfile({ dockerfile, dockerignore })
      .filter(({ verdict }) => verdict !== 'ok')
      .map(({ id, verdict }) => [id.replace('dockerfile.', ''), verdict]),
  );
}

describe('checkDockerfile', () => {
  it('has nothing against a good one', () => {
    expect(found(good)).toEqual({});
    expect(checkDockerfile({ dockerfile: good, dockerignore: '.env' })).toHaveLength(7);
  });

  it.each<[string, string, Record<string, string>]>([
    ['amd64', good.replace('arm64', 'amd64'), { architecture: 'fault' }],
    ['an image of amd64', good.replace(last, 'FROM amd64/node:22'), { architecture: 'fault' }],
    ['no platform', good.replace('--platform=linux/arm64 ', ''), { architecture: 'warning' }],
    ['a platform of the build', good.replace('linux/arm64', '$TARGETPLATFORM'), {}],
    [
      'amd64 for the packages alone',
      good.replace('FROM node:22-slim AS', 'FROM --platform=linux/amd64 node:22-slim AS'),
      {},
    ],
    ['another port', good.replace('ENV ', 'ENV PORT=3000 '), { address: 'fault' }],
    ['another port in the form of old', good.replace('USER', 'ENV PORT 3000\nUSER'), { address: 'fault' }],
    ['loopback', good.replace('ENV ', 'ENV ART_HOST="127.0.0.1" '), { address: 'fault' }],
    ['the port of AgentCore', good.replace('ENV ', 'ENV PORT=8080 ART_HOST=0.0.0.0 '), {}],
    ['a port of the build', good.replace('ENV ', 'ENV PORT=$PORT_OF_BUILD '), {}],
    ['a port of another stage', good.replace('RUN npm', 'ENV PORT=3000\nRUN npm'), {}],
    ['a port that a later line takes back', good.replace('USER', 'ENV PORT=1\nENV PORT=8080\nUSER'), {}],
    ['Node 20', good.replace(/node:22-slim\nENV/, 'node:20-alpine\nENV'), { node: 'fault' }],
    ['Node 22.12', good.replace(/node:22-slim\nENV/, 'node:22.12.0-slim\nENV'), { node: 'fault' }],
    ['Node 24', good.replace(/node:22-slim\nENV/, 'node:24\nENV'), {}],
    ['a Node of AWS', good.replace(/public\S*\nENV/, 'public.ecr.aws/lambda/nodejs:22\nENV'), {}],
    ['another image', good.replace(/public\S*\nENV/, 'my/base:7\nENV'), {}],
    [
      'its own stage as its base',
      `FROM --platform=linux/arm64 node:18 AS base\nUSER node\nFROM base\nCMD ["node", "a.ts"]`,
      { node: 'fault' },
    ],
    ['a key', good.replace('ENV NODE_ENV', 'ENV OPENAI_API_KEY=sk-1 NODE_ENV'), { secrets: 'fault' }],
    ['a key in the form of old', `${good}ENV GITHUB_TOKEN abc\n`, { secrets: 'fault' }],
    ['a key of the build', good.replace('USER node', 'ARG NPM_TOKEN\nUSER node'), { secrets: 'fault' }],
    ['no key but its name', good.replace('ENV NODE_ENV', 'ENV TOKENIZERS=1 KEYS_FILE= NODE_ENV'), {}],
    ['.npmrc', good.replace('package-lock.json ./', 'package-lock.json .npmrc ./'), { secrets: 'fault' }],
    ['a secret that is mounted', good.replace('RUN npm', 'RUN --mount=type=secret,id=npm npm'), {}],
    ['a shell', good.replace('CMD ["node", "agent.ts"]', 'CMD node agent.ts'), { command: 'warning' }],
    ['npm', good.replace('["node", "agent.ts"]', '["npm", "start"]'), { command: 'warning' }],
    ['tsx', good.replace('["node", "agent.ts"]', '["npx", "tsx", "agent.ts"]'), { command: 'warning' }],
    [
      'sh -c',
      good.replace('["node", "agent.ts"]', '["/bin/sh", "-c", "node agent.ts"]'),
      { command: 'warning' },
    ],
    ['an init', good.replace('["node"', '["/usr/bin/tini", "--", "node"'), {}],
    ['ENTRYPOINT', good.replace('CMD ["node", ', 'ENTRYPOINT ["node"]\nCMD ['), {}],
    ['no CMD', good.replace(/CMD.*/, ''), { command: 'warning' }],
    ['root', good.replace('USER node', 'USER root'), { user: 'warning' }],
    ['0:0', good.replace('USER node', 'USER 0:0'), { user: 'warning' }],
    ['root in the end', good.replace('USER node', 'USER node\nUSER root'), { user: 'warning' }],
    ['nobody', good.replace('USER node\n', ''), { user: 'warning' }],
    ['npm install', good.replace('npm ci', 'apt-get update && \\\n  npm install'), { lockfile: 'warning' }],
    ['pnpm without its lockfile', good.replace('npm ci', 'pnpm install'), { lockfile: 'warning' }],
    ['pnpm with it', good.replace('npm ci', 'npm install -g pnpm && pnpm install --frozen-lockfile'), {}],
  ])('with %s', (_what, dockerfile, problems) => {
    expect(found(dockerfile)).toEqual(problems);
  });

  it('wants .env left out where the whole folder is copied', () => {
    const [, , secrets] = checkDockerfile({ dockerfile: good, dockerignore: undefined });
    expect(secrets).toMatchObject({ id: 'dockerfile.secrets', verdict: 'fault' });
    expect(found(good, 'node_modules\n!.env')).toEqual({ secrets: 'fault' });
    expect(found(good, '**/.env*\n')).toEqual({});
  });
});

it('takes the variables of the runtime for those that count', () => {
  const dockerfile = good.replace('ENV ', 'ENV PORT=3000 ');
  const address = (port: number, variables: Record<string, string>): string =>
    checkDockerfile({ dockerfile, dockerignore: undefined, runtime: { port, variables } }).find(
      ({ id }) => id === 'dockerfile.address',
    )!.verdict;
  expect(address(9_000, { PORT: '9000' })).toBe('ok');
  expect(address(3_000, {})).toBe('ok');
  expect(address(9_000, {})).toBe('fault');
});

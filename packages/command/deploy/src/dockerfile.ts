const image = 'public.ecr.aws/docker/library/node:22-slim';

/**
 * A Dockerfile for AgentCore Runtime: ARM64, no rights, and in the last stage no build tools, nothing but Node, the installed
 * packages and the agent. Node strips the types itself (22.18 and later), and gets SIGTERM without a launcher between.
 * It needs a `package-lock.json`.
 * @param agent the file that starts the agent, as seen from the folder of the Dockerfile: `agent.ts`
 * @param loaded see {@link nodeWords}
 */
export function dockerfile(agent: string, loaded: LoadedFirst): string {
  return `# An agent for Amazon Bedrock AgentCore Runtime, which runs ARM64 and calls port 8080.
FROM ${image} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# The platform is named: on another machine npm would choose binaries for that one.
RUN npm ci --omit=dev --no-audit --no-fund --os=linux --cpu=arm64 --libc=glibc

# On platform version V2 sessions share what Node's own OpenSSL draws for TLS. A Node of Amazon Linux 2023 that uses the system's
# OpenSSL, with the package openssl-snapsafe-libs, draws afresh: take one here where that matters.
# Nothing is run in this stage, so that it can be built on any machine, without an emulator.
FROM --platform=linux/arm64 ${image}
WORKDIR /app
ENV NODE_ENV=production
COPY --from=packages /app/node_modules ./node_modules
COPY . .
USER node
EXPOSE 8080
CMD ${JSON.stringify(['node', ...nodeWords(agent, loaded)]).replaceAll('","', '", "')}
`;
}

/** The modules that are loaded before an agent. */
export interface LoadedFirst {
  /** True if tsx is among the packages and loads the files, in place of Node's own stripping of types. */
  usesTsx: boolean;
  /** The module that makes draws safe where sessions are restored from a snapshot; undefined where the agent depends on no package that has it. */
  snapshotSafe: string | undefined;
}

/** Arguments of Node in an image that starts an agent. */
export function nodeWords(agent: string, { usesTsx, snapshotSafe }: LoadedFirst): string[] {
  const modules = [...(snapshotSafe === undefined ? [] : [snapshotSafe]), ...(usesTsx ? ['tsx'] : [])];
  return [...modules.flatMap((module) => ['--import', module]), agent];
}

const ignored =
  '.env .env.* **/.env **/.env.* .git .github node_modules **/node_modules agentcore ' +
  '.art coverage dist *.log *.zip Dockerfile .dockerignore';

/**
 * Names the files that are not sent to the machine that builds, and are not in the image: secrets first.
 * @param agent the file that starts the agent, which is never left out
 */
export function dockerignore(agent: string): string {
  const [first] = agent.replace(/^\.\//, '').split('/');
  return `${ignored
    .split(' ')
    .filter((pattern) => pattern !== first)
    .join('\n')}\n`;
}

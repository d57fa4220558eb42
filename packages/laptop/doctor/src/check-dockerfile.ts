import { jsonIn } from '@art/ground';
import { type Dockerfile, DockerfileParser, type Env, type From, type Instruction } from 'dockerfile-ast';
import { type Finding, must, ok, type Seen, warning } from './finding.ts';

/** The sources of an image, as far as files tell. */
export interface DockerfileSources {
  /** The Dockerfile's text. */
  dockerfile: string;
  /** Text of `.dockerignore`; undefined where there is none. */
  dockerignore: string | undefined;
  /** The address of the agent. @default that of a runtime without settings */
  runtime?: RuntimeAddress | undefined;
}

/** The port at which AgentCore calls an agent, and the variables of its process. */
export interface RuntimeAddress {
  port: number;
  /** Variables of the runtime, which replace those of the image. */
  variables: Readonly<Record<string, string>>;
}

const usualAddress: RuntimeAddress = { port: 8_080, variables: {} };

interface DockerfileCheck extends Pick<Finding, 'id' | 'title' | 'why' | 'todo'> {
  look: (image: Image, sources: DockerfileSources) => Seen;
}

/** The least Node that removes types itself and that the packages of this toolkit run on. */
const leastNode: readonly [number, number] = [22, 19];

/** A Dockerfile, seen from its last stage. */
interface Image {
  /** Base of the last stage: the image of another stage where it has the name of one. */
  base: From | undefined;
  /** Instructions of the last stage and of those that it is made from, in the order of the file. */
  inherited: Instruction[];
  all: Instruction[];
}

const secretName = /(?:^|_)(?:API_?KEY|KEY|SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIALS?|AUTH)$/i;
const secretFile =
  /(?:^|\/)(?:\.env(?:\.[\w.-]+)?|\.npmrc|\.aws|credentials|id_(?:rsa|ed25519)|[^/]*\.pem)\/?$/;

/** Settings of variables that have an agent listen where AgentCore does not call it, as `PORT=3000`. */
export function unreachedBy(
  variables: Readonly<Record<string, string>>,
  { port }: Pick<RuntimeAddress, 'port'> = usualAddress,
): string[] {
  const { PORT: givenPort, ART_HOST: host } = variables;
  return [
    ...(givenPort === undefined || givenPort === '' || Number(givenPort) === port
      ? []
      : [`PORT=${givenPort}, and AgentCore calls ${port}`]),
    ...(host !== undefined && /^(?:localhost$|127\.|::1$)/.test(host)
      ? [`ART_HOST=${host}, which nobody outside of the container reaches`]
      : []),
  ];
}

/** Words for a finding about `unreachedBy`. */
export const addressCheck: Pick<Finding, 'title' | 'why' | 'todo'> = {
  title: 'listens where AgentCore calls it',
  why: 'AgentCore pings one port, 8080 unless the runtime names another, at the address of the container. An agent elsewhere never starts.',
  todo: 'Leave PORT and ART_HOST out. Another port is given by "art deploy --port", which tells both sides.',
};

const checks: readonly DockerfileCheck[] = [
  {
    id: 'dockerfile.architecture',
    title: 'ends in an image for ARM64',
    why: 'AgentCore runs ARM64 alone, and refuses or cannot start another image.',
    todo: 'Write "FROM --platform=linux/arm64 IMAGE" for the last stage.',
    look: ({ base }) => {
      const platform = base?.getPlatformFlag()?.getValue() ?? undefined;
      const image = base?.getImage() ?? 'nothing';
      const other = /amd64|x86_64|386|arm32|arm\/v[67]/.exec(`${platform ?? ''} ${image}`)?.[0];
      if (other !== undefined)
        return must(false, `${other} in "FROM ${[platform, image].filter(Boolean).join(' ')}"`);
      // Built on AWS's own machines, or with buildx, it is right by their platform.
      return platform !== undefined && /arm64|aarch64|\$/.test(platform)
        ? ok(platform)
        : warning(`${image}, of whatever machine builds it`);
    },
  },
  {
    id: 'dockerfile.node',
    title: `has Node ${leastNode.join('.')} or newer`,
    why: 'Older ones do not run TypeScript, and the packages of this toolkit do not load.',
    todo: 'Take node:22-slim, or a newer one with an even number.',
    look: ({ base }) => {
      const image = base?.getImage() ?? '';
      const [, major, minor] = /(?:^|\/)(?:node|nodejs[\w-]*?)(?:-|:)v?(\d+)(?:\.(\d+))?/.exec(image) ?? [];
      if (major === undefined) return ok(`${image || 'no image'}, whose Node its name does not tell`);
      const [least, leastMinor] = leastNode;
      // "22" is the newest of 22.
      const isOld =
        Number(major) < least || (Number(major) === least && Number(minor ?? leastMinor) < leastMinor);
      return must(!isOld, image);
    },
  },
  {
    id: 'dockerfile.secrets',
    title: 'puts no secrets into the image',
    why: 'Anyone who can pull an image can read all of its layers, also what a later line removes.',
    todo: 'Leave files with secrets out by .dockerignore, take "RUN --mount=type=secret" for the build, and envVars of agentcore.json or Secrets Manager for the agent.',
    look: ({ all }, { dockerignore }) => {
      const found = all.flatMap((instruction) => secretsIn(instruction, dockerignore));
      return must(found.length === 0, found.length === 0 ? 'none' : [...new Set(found)].join('\n'));
    },
  },
  {
    id: 'dockerfile.command',
    title: 'starts Node itself',
    why: 'A shell or npm takes the SIGTERM of AgentCore, and does not pass it on: results in the making are lost.',
    todo: 'Write CMD ["node", "agent.ts"], with its words in brackets.',
    look: ({ inherited }) => {
      const last = (keyword: string): Instruction | undefined =>
        inherited.findLast((one) => one.getKeyword() === keyword);
      const command = last('ENTRYPOINT') ?? last('CMD');
      if (command === undefined) return warning('no CMD, so that of the image is run');
      const text = command.getArgumentsContent()?.trim() ?? '';
      const words = wordsOf(text);
      if (words === undefined) return warning(`${command.getKeyword()} ${text}`);
      const first = words.find(
        (word) => !/^(?:tini|dumb-init|--?|-[gsv]+|.*\/(?:tini|dumb-init))$/.test(word),
      );
      const isLauncher = /(?:^|\/)(?:sh|bash|ash|npm|npx|pnpm|yarn|tsx|nodemon)$/.test(first ?? '');
      return isLauncher ? warning(`${command.getKeyword()} ${text}`) : ok(text);
    },
  },
  {
    id: 'dockerfile.user',
    title: 'runs as a user without rights',
    why: 'Code that a model wrote runs in the agent, and as root may change everything in its machine.',
    todo: 'Write "USER node" before CMD.',
    look: ({ inherited }) => {
      const user = inherited
        .findLast((one) => one.getKeyword() === 'USER')
        ?.getArgumentsContent()
        ?.trim();
      const isRoot = user === undefined || /^(?:root|0)(?::|$)/.test(user);
      return isRoot ? warning(user === undefined ? 'no USER, so root' : `USER ${user}`) : ok(`USER ${user}`);
    },
  },
  {
    id: 'dockerfile.lockfile',
    title: 'installs what a lockfile names',
    why: 'Otherwise every build takes the newest versions, and none is the one that was tested.',
    todo: 'Copy package-lock.json and run "npm ci" (pnpm install --frozen-lockfile, yarn install --immutable).',
    look: ({ all }) => {
      const loose = all
        .filter((one) => one.getKeyword() === 'RUN')
        .flatMap((one) => one.getArgumentsContent()?.split(/&&|;|\|\|/) ?? [])
        .map((command) =>
          command
            .replaceAll(/\\\s*\n/g, ' ')
            .replaceAll(/\s+/g, ' ')
            .trim(),
        )
        .filter(installsLoosely);
      return loose.length === 0 ? ok('yes') : warning(loose.join('\n'));
    },
  },
  {
    id: 'dockerfile.address',
    ...addressCheck,
    look: ({ inherited }, { runtime = usualAddress }) => {
      const ofImage = inherited
        .filter((one): one is Env => one.getKeyword() === 'ENV')
        .flatMap((one) => one.getProperties())
        .map((one) => [one.getName(), one.getValue() ?? ''] as const)
        .filter(([name, value]) => !(name in runtime.variables) && !value.includes('$'));
      const found = unreachedBy(Object.fromEntries(ofImage), runtime);
      return must(found.length === 0, found.length === 0 ? `port ${runtime.port}` : found.join('\n'));
    },
  },
];

/** Looks at a Dockerfile for an agent on AgentCore, without building it. Findings are in a fixed order, one a rule. */
export function checkDockerfile(sources: DockerfileSources): Finding[] {
  const image = imageOf(DockerfileParser.parse(sources.dockerfile));
  return checks.map(({ look, ...check }) => ({ ...check, ...look(image, sources) }));
}

function imageOf(dockerfile: Dockerfile): Image {
  const all = dockerfile.getInstructions();
  const stages: { from: From; rest: Instruction[] }[] = [];
  for (const from of dockerfile.getFROMs()) stages.push({ from, rest: [] });
  for (const instruction of all) {
    const line = instruction.getRange().start.line;
    const stage = stages.findLast(({ from }) => from.getRange().start.line <= line);
    if (stage !== undefined && instruction.getKeyword() !== 'FROM') stage.rest.push(instruction);
  }
  const inherited: Instruction[] = [];
  let stage = stages.at(-1);
  for (;;) {
    if (stage === undefined) return { base: undefined, inherited, all };
    inherited.unshift(...stage.rest);
    const { from } = stage;
    const earlier = stages.slice(0, stages.indexOf(stage));
    const parent = earlier.findLast(
      (one) => one.from.getBuildStage()?.toLowerCase() === from.getImage()?.toLowerCase(),
    );
    if (parent === undefined) return { base: from, inherited, all };
    stage = parent;
  }
}

function secretsIn(instruction: Instruction, dockerignore: string | undefined): string[] {
  const text = instruction.getArgumentsContent() ?? '';
  switch (instruction.getKeyword()) {
    case 'ENV':
    case 'ARG':
      return [...text.matchAll(/(?:^|\s)([A-Za-z_]\w*)(?:=|\s+|$)("[^"]*"|'[^']*'|\S*)/g)].flatMap(
        ([, name = '', value = '']) => {
          const isGiven = value !== '' && !/^["']?(?:\$|["']?$)/.test(value);
          return secretName.test(name) && (isGiven || instruction.getKeyword() === 'ARG')
            ? [`${instruction.getKeyword()} ${name}`]
            : [];
        },
      );
    case 'COPY':
    case 'ADD': {
      const words = text.split(/\s+/).filter((word) => !word.startsWith('--'));
      const isOfStage = /--from=/.test(text);
      const sources = words.slice(0, -1);
      const named = sources.filter((word) => secretFile.test(word.replaceAll(/["'[\],]/g, '')));
      const takesAll = !isOfStage && sources.some((word) => /^["'[]*\.?\/?["',\]]*$/.test(word));
      const isLeftOut = (dockerignore ?? '')
        .split('\n')
        .some((line) => /^\s*(?:\*\*\/)?\.env(?:\*|\.\*)?\s*$/.test(line));
      return [
        ...named.map((word) => `${instruction.getKeyword()} ${word}`),
        ...(takesAll && !isLeftOut
          ? [`${instruction.getKeyword()} ${text}, and .dockerignore does not leave out .env`]
          : []),
      ];
    }
    default:
      return [];
  }
}

/** The words of the form with brackets; undefined for the form that a shell runs. */
function wordsOf(text: string): string[] | undefined {
  const words = jsonIn(text);
  return Array.isArray(words) ? words.map(String) : undefined;
}

function installsLoosely(command: string): boolean {
  if (/\b(?:npm|pnpm|yarn|bun)\b.*(?:\s-g\b|--global\b)/.test(command)) return false;
  if (/\bnpm (?:install|i|add)\b/.test(command)) return true;
  if (/\b(?:pnpm|bun) (?:install|i|add)\b/.test(command)) return !command.includes('--frozen-lockfile');
  if (/\byarn(?: install| add|$)/.test(command)) return !/--(?:immutable|frozen-lockfile)\b/.test(command);
  return false;
}

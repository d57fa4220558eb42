import { refuseOption } from '@art/ground';

const mostProjectLetters = 23;
/** The name on AWS is made of both, and has no more room. */
const mostNameLetters = 48;

/** Names that the CLI of AWS takes for no project, whatever its case. Source: `schema/constants` of npm `@aws/agentcore` 0.30.0. */
const reservedProjects = new Set(
  (
    'anthropic autogen autogenagentchat autogenext bedrock bedrockagentcore googleadk googlegenerativeai langchain ' +
    'langchainanthropic langchainaws langchaingooglegenai langchainmcpadapters langchainopenai langgraph mcp openai ' +
    'openaiagents strands strandsagents strandsagentstools agui aguistrands aguilanggraph aguiadk aguiprotocol vercelai ' +
    'aisdk httpx pytest pytestasyncio pythondotenv hatchling setuptools wheel awsopentelemetrydistro boto3 botocore ' +
    'test tests src lib dist build env venv site pip uv'
  ).split(' '),
);

/** A name for a project of AWS's CLI out of that of a folder or package: `@acme/math-agent` gives `mathAgent`. */
export function projectNameFrom(text: string): string {
  const words = text
    .replace(/^@[^/]*\//, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  const joined = words
    .map((word, index) => (index === 0 ? word : word[0]!.toUpperCase() + word.slice(1)))
    .join('')
    .replace(/^[0-9]+/, '')
    .slice(0, mostProjectLetters);
  if (joined === '') return 'agent';
  return reservedProjects.has(joined.toLowerCase())
    ? `my${joined[0]!.toUpperCase()}${joined.slice(1)}`
    : joined;
}

/** A name for a runtime out of that of the agent's file: `src/math-agent.ts` gives `math_agent`. */
export function runtimeNameFrom(file: string): string {
  const base = file
    .split('/')
    .at(-1)!
    .replace(/\.[^.]*$/, '');
  const name = base
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^[^A-Za-z]+/, '')
    .replace(/_+$/, '')
    .slice(0, mostNameLetters - mostProjectLetters - 1);
  return name === '' ? 'agent' : name;
}

/** @throws ArtError `ART_INVALID_OPTION` where AWS would refuse the name */
export function checkProjectName(name: string): void {
  if (!/^[A-Za-z][A-Za-z0-9]{0,22}$/.test(name))
    refuseOption('project', 'up to 23 letters and digits that begin with a letter', name);
  if (reservedProjects.has(name.toLowerCase()))
    refuseOption('project', 'a name that AWS does not keep for a package', name);
}

/** @throws ArtError `ART_INVALID_OPTION` where AWS would refuse the name */
export function checkRuntimeName(name: string, project: string): void {
  const most = mostNameLetters - project.length - 1;
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name) || name.length > most) {
    refuseOption(
      'name',
      `up to ${most} letters, digits and "_" that begin with a letter (${mostNameLetters} with the project's)`,
      name,
    );
  }
}

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkAgent, type CheckAgentOptions, checkClient, type Finding, type Verdict } from '@art/doctor';
import { agentCommand } from '@art/local';
import { refuseOption } from '@art/ground';
import { parseAgentRuntimeArn } from '@art/protocol';
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { numberArgument } from '../arguments/number-argument.ts';
import type { OptionsOf } from '../arguments/options-of.ts';
import { readPayload } from '../arguments/read-payload.ts';
import { filledArgument, regionArgument } from '../arguments/text-argument.ts';
import type { Bind, CliContext } from '../cli-context.ts';
import { signedControl } from '../deploy/signed-control.ts';
import { exitCodes } from '../exit-codes.ts';
import { eventWriter } from '../terminal/event-writer.ts';
import { formatFinding } from '../terminal/format-finding.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { checkTrainingService, trainingRights } from '../train/check-training-service.ts';

const examples = `
Examples:
  $ art doctor agent.ts --payload '{"prompt":"6*7","answer":"42"}'
      starts the agent and checks it; 15 seconds
  $ art doctor -- npx tsx agent.ts
      the way in which your container starts it
  $ art doctor dist/main.js
      one file: also whether it starts alone, how fast, how large
  $ art doctor my-agent:latest
      an image, by its tag; needs docker, podman or finch
  $ art doctor http://127.0.0.1:8080
      an agent that runs already
  $ art doctor arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/math-abc123 \\
      --bucket my-results
      your rights and ways to it; with --gateway URL --session also
      whether the agent reaches the gateway; else starts no session
  $ art doctor arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/math-abc123 \\
      --reach
      sockets into its sessions: do they open, how much they carry,
      how long they last; stops each session, also on Ctrl-C
  $ art doctor --train sagemaker \\
      --base-model arn:aws:sagemaker:us-west-2:aws:hub-content/... \\
      --role-arn arn:aws:iam::... --output-s3 s3://my-bucket/training \\
      --session
      the way to training; --session opens a session, for some cents
  $ art doctor --train sagemaker ... --policies
      the policy of the caller and the role, as JSON for IAM
      the same on this machine
A fault makes rollouts or requests fail, a warning costs somebody something.
What only follows from another fault is skipped.

Exit codes: 0 no fault; 18 faults; 2 wrong usage; 3 an obstacle of this
machine.`;

function declared() {
  return new Command('doctor')
    .description('Checks an agent for what AgentCore, trainers and users stumble over.')
    .argument(
      '[agent...]',
      'a file, a command, an image with its tag, the URL of a running agent, or the ARN of one on AgentCore',
    )
    .option(
      '--payload <json>',
      'a request that the agent can answer: JSON, @file, or - for stdin',
      filledArgument,
      '{"prompt":"What is 6 times 7?","answer":"42"}',
    )
    .option(
      '--other-payload <json>',
      'another one, for the second of the two sessions from one snapshot that are compared (default: the same)',
      filledArgument,
    )
    .option('--bucket <name>', 'with an ARN: the bucket of the results', filledArgument)
    .option('--gateway <url>', 'with an ARN: the model gateway', filledArgument)
    .option('--qualifier <name>', 'with an ARN: endpoint of the runtime (default: DEFAULT)', filledArgument)
    .addOption(
      new Option('--train <service>', 'in place of an agent: the service that trains').choices([
        'sagemaker',
      ] as const),
    )
    .option(
      '--session',
      'with --train: open a training session, make two passes, stop it; with an ARN and --gateway: start a session of the agent, and see whether it reaches the gateway',
    )
    .option(
      '--reach',
      'with an ARN: start two sessions of the agent, and see whether sockets into them carry what --reach session needs; 5 to 10 minutes',
    )
    .option(
      '--hold <seconds>',
      'with --reach: how long a model call is kept waiting (default: 240)',
      numberArgument({ min: 0, whole: false }),
    )
    .option('--region <region>', 'with --train sagemaker: where (default: AWS_REGION)', regionArgument)
    .option('--base-model <arn>', 'with --train sagemaker: what is trained', filledArgument)
    .option('--role-arn <arn>', 'with --train sagemaker: the role that a session works as', filledArgument)
    .option('--output-s3 <address>', 'with --train sagemaker: where weights go', filledArgument)
    .option('--policies', 'with --train sagemaker: print the rights that training needs, and check nothing')
    .option('--json', 'one JSON object a finding', false)
    .addHelpText('after', examples);
}

export type DoctorOptions = OptionsOf<typeof declared> & { agent: string[] };

/** The command line of `art doctor`. */
export function doctorCommand(bind: Bind): CommandUnknownOpts {
  const run = bind(runDoctor);
  return declared().action((agent, flags) => run({ ...flags, agent }));
}

/** Last line of `art doctor`; before it come the findings, each as soon as it is known. */
interface SummaryEvent {
  event: 'summary';
  ok: number;
  warnings: number;
  faults: number;
  skipped: number;
}

/**
 * `art doctor`: checks an agent, or the way to one on AgentCore.
 * @returns the exit code
 * @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_PAYLOAD`, `ART_INVALID_ARN`, `ART_NO_CONTAINER_ENGINE`
 */
export function runDoctor(options: DoctorOptions, context: CliContext): Promise<number> {
  const { agent, bucket, gateway, qualifier, json } = options;
  const { env, cwd } = context;
  const [first = ''] = agent;
  const onFinding = eventWriter<Finding>(context, json, formatFinding);
  const tell = eventWriter<SummaryEvent>(context, json, describeSummary);
  return interruptible(context, async ({ signal }) => {
    if (options.train === undefined && agent.length === 0)
      refuseOption('agent', 'a file such as agent.ts, or --train', undefined);
    if (options.policies === true) {
      context.stdout.write(trainingRights(options, context));
      return exitCodes.ok;
    }
    const isArn = first.startsWith('arn:');
    if (options.reach === true && (options.train !== undefined || !isArn))
      refuseOption('--reach', 'beside the ARN of an agent on AgentCore', first);
    if (options.hold !== undefined && options.reach !== true)
      refuseOption('--hold', 'beside --reach', options.hold);
    if (options.otherPayload !== undefined && (options.train !== undefined || isArn || isUrl(first)))
      refuseOption('--other-payload', 'beside an agent that is started here', first);
    const payload = (): ReturnType<typeof readPayload> => readPayload(options.payload, context, signal);
    const findings =
      options.train !== undefined
        ? await checkTrainingService(options, context, { onFinding, signal })
        : isArn
          ? await checkClient({
              agentRuntimeArn: first,
              bucket,
              gatewayUrl: gateway,
              qualifier,
              getRuntime: async (id) =>
                signedControl(parseAgentRuntimeArn(first).region, env)(
                  { method: 'GET', path: `/runtimes/${encodeURIComponent(id)}/` },
                  signal,
                ),
              payload: options.session === true ? await payload() : undefined,
              reach:
                options.reach === true ? { payload: await payload(), holdMs: holdMsOf(options) } : undefined,
              onFinding,
              signal,
            })
          : await checkAgent({
              agent: agentOf(agent, cwd),
              payload: await payload(),
              otherPayload:
                options.otherPayload === undefined
                  ? undefined
                  : await readPayload(options.otherPayload, context, signal),
              env,
              onFinding,
              signal,
            });
    const count = (verdict: Verdict): number =>
      findings.filter((finding) => finding.verdict === verdict).length;
    const faults = count('fault');
    tell({
      event: 'summary',
      ok: count('ok'),
      warnings: count('warning'),
      faults,
      skipped: count('skipped'),
    });
    return faults === 0 ? exitCodes.ok : exitCodes.faultsFound;
  });
}

function holdMsOf({ hold }: DoctorOptions): number | undefined {
  return hold === undefined ? undefined : hold * 1_000;
}

function describeSummary({ ok, warnings, faults, skipped }: SummaryEvent): string {
  const checks = ok + warnings + faults + skipped;
  return `\n${ok} of ${checks} checks are ok: ${counted(faults, 'fault')}, ${counted(warnings, 'warning')}, ${skipped} skipped.\n`;
}

function counted(count: number, name: string): string {
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

function isUrl(word: string): boolean {
  return /^https?:\/\//.test(word);
}

const image = /^[a-z0-9][\w./:-]*(?::[\w.-]+|@sha256:[0-9a-f]{64})$/;

/** One file of JavaScript may be a bundle, which the doctor finds out. */
function agentOf(words: readonly string[], cwd: string): CheckAgentOptions['agent'] {
  const [first = ''] = words;
  if (isUrl(first)) return { url: first };
  // With a tag, as an image is pushed: a command has none.
  if (words.length === 1 && !existsSync(resolve(cwd, first)) && image.test(first)) return { image: first };
  const bundle = words.length === 1 && /\.[cm]?js$/.test(first) ? resolve(cwd, first) : undefined;
  return { command: agentCommand(words, cwd), cwd, bundle };
}

import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { countArgument, portArgument } from '../arguments/number-argument.ts';
import { filledArgument, textArgument, urlArgument } from '../arguments/text-argument.ts';
import type { OptionsOf } from './options-of.ts';

const examples = `
Examples:
  $ art gateway --worker http://127.0.0.1:8000
  $ art gateway --port 9090 --host 0.0.0.0 --db-path traces --worker http://10.0.0.5:8000 --worker http://10.0.0.6:8000
  $ art gateway --config gateway.yaml --log-level info
  $ art gateway --use-sglang --model ./qwen3-8b --sglang-tool-call-parser qwen --sglang-reasoning-parser qwen3 \\
      --cumulative-token-mode --worker http://127.0.0.1:30000
  $ art gateway --port 0 --json | jq -r 'select(.event == "ready") | .url'

Without --model, or where it names neither a folder nor a downloaded model, there is no tokenizer here: the engine renders
prompts. A parser named "engine" leaves taking answers apart to the engine as well; SGLang has that since 0.5.13. For vLLM
0.24 or newer, after 0.29 started with --enable-scale-out, write in the file:
  token_mode: { engine: vllm, tool_call_parser: engine }

The flags are those of rllm-model-gateway, so a trainer that starts that one can start this one. File, environment
(RLLM_GATEWAY_HOST, _PORT, _DB_PATH, _LOG_LEVEL, _STORE, ART_GATEWAY_ADMIN_TOKEN) and flags: the later wins. Everything else
that the gateway can do is set in the file; see the page on the gateway's configuration file.
Log lines are JSON on stdout; what is said here is on stderr, or with --json on stdout as well.
Exit codes: 0 ended by Ctrl-C or a signal, calls finished; 2 wrong usage; 3 the port is taken, or a similar obstacle.`;

function declared() {
  return new Command('gateway')
    .summary('start the model gateway that captures tokens')
    .description(
      'Stands between agents and inference servers and records exact token ids and logprobs, by session.',
    )
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)', filledArgument)
    .option('--port <number>', 'port; 0 takes a free one (default: 9090)', portArgument)
    .option('--config <file>', 'YAML file', filledArgument)
    .option(
      '--worker <url>',
      'inference server; repeatable',
      (url: string, previous: string[] | undefined) => [...(previous ?? []), urlArgument(url)],
    )
    .option(
      '--processes <count>',
      'so many independent gateways, at this port and those behind it (default: 1)',
      countArgument(128),
    )
    .option('--store <kind>', 'memory, or disk ("sqlite" is taken for it) (default: memory)', storeArgument)
    .option(
      '--db-path <dir>',
      'folder of traces that are kept on disk; makes the store "disk"',
      filledArgument,
    )
    .option(
      '--log-level <level>',
      'debug, info, warning, error or critical (default: error)',
      textArgument(
        /^(trace|debug|info|warn|warning|error|fatal|critical|silent|notset)$/i,
        'debug, info, warning, error, critical or silent',
      ),
    )
    .option(
      '--model <name>',
      "model's name, or folder of its checkpoint; replaces what agents say",
      filledArgument,
    )
    .option(
      '--max-model-len <tokens>',
      "the engine's window in token mode: no prompt grows beyond it",
      countArgument(1_000_000_000),
    )
    .option('--cumulative-token-mode', 'later turns continue the tokens of earlier ones')
    .addOption(new Option('--renderer-family <name>', 'taken for compatibility; not needed'))
    .option('--use-sglang', "render here and sample through SGLang's /generate")
    .option(
      '--sglang-tool-call-parser <name>',
      'parser of tool calls, by the name that SGLang has for it, or "engine"',
      filledArgument,
    )
    .option(
      '--sglang-reasoning-parser <name>',
      'parser of reasoning, by the name that SGLang has for it, or "engine"',
      filledArgument,
    )
    .option(
      '--sampling-params-priority <who>',
      'session or client: whose sampling parameters win',
      filledArgument,
    )
    .option(
      '--admin-token <token>',
      'ask for it on control routes; ART_GATEWAY_ADMIN_TOKEN does not show it to others',
      filledArgument,
    )
    .option('--session-keys', "model calls want their session's api_key")
    .option('--json', 'write events as JSON lines on stdout', false)
    .addHelpText('after', examples);
}

/** The flags of rllm-model-gateway, and what only this one has. */
export type GatewayRunOptions = OptionsOf<typeof declared>;

/** `art gateway`: how it is written. What it does is in `gateway/run-gateway.ts`. */
export function gatewayCommand(run: (options: GatewayRunOptions) => Promise<void>): CommandUnknownOpts {
  return declared().action(run);
}

const storeArgument = textArgument(/^(memory|disk|sqlite|compact)$/, 'memory or disk');

/** The imports that a package, or a folder of one, may have. */
export interface Arrows {
  /** One line for the page. */
  what: string;
  /** Folders of packages of the workspace. */
  packages: readonly string[];
  /** Packages of others. */
  outside?: readonly string[];
  /** Packages of others that the build puts into it, so that users do not install them; its NOTICE has their terms. */
  within?: readonly string[];
  /** Other folders of the same package, and `.` for what stands in none of these; for a folder alone. */
  inside?: readonly string[];
}

/** A package, and its folders with a subpath of their own, whose arrows are held, too. */
export interface PackageArrows extends Arrows {
  folders?: Readonly<Record<string, Arrows>>;
}

/** The wings from the bottom to the top: a package knows its own wing and those before it. */
export const wings: Readonly<
  Record<string, { what: string; packages: Readonly<Record<string, PackageArrows>> }>
> = {
  ground: {
    what: 'what everything stands on',
    packages: {
      ground: {
        what: 'clock, pauses, bounded calls; JSON, options, errors, files, equal figures, redaction',
        packages: [],
        folders: {
          figures: { what: 'equal, at least, above: the one place that knows of rounding', packages: [] },
          telemetry: { what: 'the spans of a rollout', packages: [], outside: ['@opentelemetry/api'] },
        },
      },
      protocol: {
        what: 'what crosses HTTP and storage: both wires, result key, outcomes, the port `AgentRuntime`',
        packages: ['ground'],
        outside: ['typebox'],
        folders: {
          reach: { what: 'the socket through a session', packages: ['ground'], inside: ['.'] },
        },
      },
    },
  },
  storage: {
    what: 'where results and records are kept',
    packages: {
      store: {
        what: 'the port `ResultStore`, memory and file stores, the conformance suite',
        packages: ['ground', 'protocol'],
      },
      'store-s3': {
        what: 'results in Amazon S3',
        packages: ['ground', 'protocol', 'store'],
        outside: ['@aws-sdk/client-s3', '@smithy/node-http-handler'],
        folders: {
          events: {
            what: 'results announced by S3 through SQS',
            packages: ['ground', 'protocol', 'store'],
            outside: ['@aws-sdk/client-sqs'],
            inside: ['.'],
          },
        },
      },
      journal: {
        what: 'the durable record of a run, in files or in a store',
        packages: ['ground', 'protocol', 'store'],
      },
    },
  },
  tokens: {
    what: 'from a model call to a row to train on',
    packages: {
      trajectories: {
        what: 'captures as rows to train on: trees, checks, trainers’ shapes, JSONL, Parquet',
        packages: ['ground', 'protocol'],
        outside: ['hyparquet-writer'],
      },
      'gateway-client': {
        what: 'the control plane of the gateway',
        packages: ['ground', 'protocol', 'trajectories'],
      },
      gateway: {
        what: 'the model gateway: calls, capture, engines, sessions',
        packages: ['ground', 'protocol', 'trajectories'],
        outside: ['fastify', 'prom-client', 'undici', 'yaml'],
        folders: {
          'json-bytes': { what: 'JSON edited as bytes, numbers as they were written', packages: ['ground'] },
          'model-wires': {
            what: 'Responses and Messages over chat completions',
            packages: ['ground'],
            inside: ['json-bytes'],
          },
        },
      },
      'token-engine': {
        what: 'a chat engine made of a service that samples token ids',
        packages: ['gateway', 'ground'],
        outside: ['@huggingface/jinja', '@huggingface/tokenizers'],
      },
    },
  },
  agent: {
    what: 'in the container of the agent',
    packages: {
      reward: {
        what: 'reward functions',
        packages: ['ground'],
        outside: ['@cortex-js/compute-engine', '@standard-schema/spec'],
      },
      server: {
        what: 'the agent server: production, RIP and `_rollout` requests through one handler',
        packages: ['ground', 'protocol', 'store'],
        outside: ['@fastify/websocket', '@standard-schema/spec', '@types/ws', 'fastify', 'typebox', 'ws'],
        folders: {
          'ping-thread': {
            what: 'answers `/ping` while a handler blocks',
            packages: ['ground', 'protocol'],
            inside: ['.'],
          },
        },
      },
      'server-sagemaker': {
        what: 'SageMaker’s multi-turn RL: requests, key, feedback; `/local`: its job runtime',
        packages: ['ground', 'protocol', 'server'],
        outside: ['@aws-sdk/credential-provider-node', '@smithy/signature-v4', 'fastify'],
      },
      agent: {
        what: 'server, S3 store and rewards in one install',
        packages: ['reward', 'server', 'store', 'store-s3'],
      },
    },
  },
  rollout: {
    what: 'from payloads to results',
    packages: {
      invoke: {
        what: 'AgentCore behind the port `AgentRuntime`: pacing and retries',
        packages: ['ground', 'protocol'],
        outside: [
          '@aws-sdk/client-bedrock-agentcore',
          '@smithy/node-http-handler',
          'bottleneck',
          'p-retry',
          'ws',
        ],
        folders: {
          redis: {
            what: 'pacing that processes and machines share',
            packages: ['ground'],
            outside: ['ioredis'],
            inside: ['.'],
          },
        },
      },
      rollout: {
        what: 'a rollout’s life, the watcher, batches, groups, `RolloutClient`',
        packages: ['gateway-client', 'ground', 'journal', 'protocol', 'store', 'trajectories'],
        outside: ['eventsource-parser'],
      },
      collect: {
        what: 'groups of rollouts for trainers in other languages, over HTTP or stdin; a controller for Agent Lightning',
        packages: ['gateway-client', 'ground', 'journal', 'protocol', 'rollout', 'store', 'trajectories'],
        outside: ['fastify'],
      },
      client: {
        what: 'invoke, rollout and S3 in one install',
        packages: ['ground', 'invoke', 'journal', 'protocol', 'rollout', 'store', 'store-s3'],
      },
    },
  },
  laptop: {
    what: 'AgentCore and a model on this machine',
    packages: {
      local: {
        what: 'AgentCore: sessions as processes, the data plane',
        packages: ['ground', 'protocol'],
        outside: ['@fastify/websocket', '@smithy/eventstream-codec', 'fastify', 'ws'],
        folders: {
          s3: {
            what: 'an S3 endpoint, objects in memory or in files',
            packages: ['ground', 'protocol', 'store'],
            outside: ['fastify', 'saxes'],
          },
          faults: { what: 'seeded fault plans', packages: ['ground'], inside: ['.', 's3'] },
        },
      },
      'mock-model': {
        what: 'a scripted model with the APIs of OpenAI and Anthropic',
        packages: ['gateway', 'ground'],
        outside: ['fastify', 'typebox'],
      },
      doctor: {
        what: 'checks an agent, and the way to one on AgentCore',
        packages: ['ground', 'invoke', 'local', 'mock-model', 'protocol'],
        outside: ['@aws-sdk/client-bedrock-agentcore', '@aws-sdk/client-s3', 'dockerfile-ast', 'fastify'],
      },
    },
  },
  evaluate: {
    what: 'from results to figures',
    packages: {
      eval: {
        what: 'tasks, samples, judging, figures with intervals, comparison; the files of a run',
        packages: ['gateway-client', 'ground', 'journal', 'protocol', 'rollout', 'store', 'trajectories'],
        outside: ['csv-parse', 'hyparquet', 'hyparquet-compressors'],
        folders: {
          health: {
            what: 'what is wrong with a run: checks over rollouts, pure',
            packages: ['ground', 'protocol', 'trajectories'],
          },
          local: {
            what: 'an agent and a gateway on this machine, for an evaluation',
            packages: ['gateway', 'gateway-client', 'ground', 'local', 'protocol', 'rollout', 'store'],
            inside: ['.'],
          },
        },
      },
      improve: { what: 'better prompts', packages: ['eval', 'ground', 'reward', 'store', 'trajectories'] },
      view: {
        what: 'the page that shows runs: served, or one file',
        packages: ['eval', 'ground', 'protocol', 'trajectories'],
      },
    },
  },
  trainer: {
    what: 'from rows to a training step',
    packages: {
      train: {
        what: 'the training loop, the port `TrainingSteps`',
        packages: ['eval', 'gateway-client', 'ground', 'journal', 'protocol', 'rollout', 'trajectories'],
        folders: {
          local: {
            what: 'a small policy that trains on this machine',
            packages: ['ground'],
            inside: ['.'],
          },
        },
      },
      'train-sagemaker': {
        what: 'training steps at SageMaker',
        packages: ['ground', 'train'],
        outside: ['@aws-sdk/credential-provider-node', '@smithy/hash-node', '@smithy/signature-v4'],
      },
      'train-tinker': {
        what: 'training steps over Tinker’s wire',
        packages: ['ground', 'train'],
        outside: ['@bufbuild/protobuf'],
      },
    },
  },
  command: {
    what: 'the `art` command',
    packages: {
      deploy: {
        what: 'what AWS’s CLI deploys an agent from: its files, a Dockerfile, policies',
        packages: ['ground', 'protocol'],
      },
      'create-agent': {
        what: 'projects with an agent, made of `examples/`: `npm create @art/agent`, `art init`',
        packages: ['deploy', 'ground', 'protocol'],
        outside: ['@commander-js/extra-typings', 'commander'],
      },
      cli: {
        what: 'composes everything, and nothing depends on it',
        packages: [
          'client',
          'collect',
          'create-agent',
          'deploy',
          'doctor',
          'eval',
          'gateway',
          'gateway-client',
          'ground',
          'improve',
          'invoke',
          'journal',
          'local',
          'mock-model',
          'protocol',
          'rollout',
          'server-sagemaker',
          'store',
          'store-s3',
          'token-engine',
          'train',
          'train-sagemaker',
          'train-tinker',
          'trajectories',
          'view',
        ],
        outside: [
          '@aws-sdk/credential-provider-node',
          '@commander-js/extra-typings',
          '@opentelemetry/sdk-node',
          '@smithy/hash-node',
          '@smithy/signature-v4',
          'chokidar',
          'commander',
          'esbuild',
        ],
        // Read code and show a change, for `art adapt` alone.
        within: ['@babel/parser', '@babel/types', 'diff', 'magic-string'],
      },
    },
  },
};

/** Arrows from a wing to one that stands above it, each with its reason. */
export const upward: Readonly<Record<string, string>> = {};

import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';

class NodeHash {
  readonly #hash;
  constructor(secret?: string | Uint8Array) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret);
  }
  update(data: string | Uint8Array): void {
    this.#hash.update(data);
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }
  reset(): void {}
}

export interface AnswerBody {
  operationId?: string;
  status?: string;
  message?: string;
  errorDetails?: string;
  __type?: string;
  operationResult?: {
    saveWeights?: { modelPackageArn: string };
    saveState?: { modelPackageArn: string };
    sample?: { sequences: unknown[]; promptLogprobs: unknown[] };
  };
  TrainingSessionDetail?: { TrainingSessionStatus: string };
}

export interface WireAnswer {
  status: number;
  type: string | null;
  body: AnswerBody;
}

/** Signs as the AWS SDKs do, and calls. */
export function signedClient(
  endpoint: string,
  {
    region = 'us-west-2',
    service = 'sagemaker',
    secretAccessKey = 'local-secret',
    accessKeyId = 'local',
    signingDate = new Date(),
  } = {},
) {
  const base = new URL(endpoint);
  const signer = new SignatureV4({
    credentials: { accessKeyId, secretAccessKey },
    region,
    service,
    sha256: NodeHash as never,
  });
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    {
      headers = {},
      alter = (text: string) => text,
    }: { headers?: Record<string, string>; alter?: (text: string) => string } = {},
  ): Promise<WireAnswer> => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const signed = await signer.sign(
      {
        method,
        protocol: base.protocol,
        hostname: base.hostname,
        port: Number(base.port),
        path,
        query: {},
        headers: {
          host: base.host,
          ...(text !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: text,
      },
      { signingDate },
    );
    delete signed.headers['host'];
    const answer = await fetch(base.origin + path, {
      method,
      headers: signed.headers,
      ...(text !== undefined && { body: alter(text) }),
    });
    const raw = await answer.text();
    return {
      status: answer.status,
      type: answer.headers.get('x-amzn-errortype'),
      body: (raw === '' ? {} : JSON.parse(raw)) as AnswerBody,
    };
  };
  const control = (operation: string, body: object, options = {}) =>
    call('POST', '/', body, {
      ...options,
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `SageMaker.${operation}` },
    });
  const path = '/v1/training-sessions/s1';
  const submit = (sequenceNumber: number, operationConfig: object, clientToken?: string) =>
    call('POST', `${path}/operations`, { sequenceNumber, operationConfig, clientToken });
  const sampling = (operationConfig: object) =>
    call('POST', `${path}/sampling-operations`, { operationConfig });
  /** Statuses that were told until the operation ended, and its last answer. */
  const ended = async (operationId: string, kind = 'operations') => {
    const statuses: string[] = [];
    for (;;) {
      const { body } = await call('GET', `${path}/${kind}/${operationId}`);
      statuses.push(body.status!);
      if (!['Pending', 'InProgress'].includes(body.status!)) return { statuses, body };
    }
  };
  return {
    control,
    create: async (name = 's1'): Promise<void> => {
      await control('CreateTrainingSession', createRequest(name));
      for (let asked = 0; asked < 3; asked += 1)
        await control('DescribeTrainingSession', { TrainingSessionName: name });
    },
    submit,
    sampling,
    ended,
    poll: (operationId: string) => call('GET', `${path}/operations/${operationId}`),
    train: async (sequenceNumber: number, config: object) =>
      await ended((await submit(sequenceNumber, config)).body.operationId!),
    ask: async (config: object) =>
      (await ended((await sampling(config)).body.operationId!, 'sampling-operations')).body.operationResult,
  };
}

export function createRequest(name: string) {
  return {
    TrainingSessionName: name,
    LoraConfig: { Rank: 2, Alpha: 4 },
    RoleArn: 'arn:aws:iam::123456789012:role/train',
    ModelConfig: {
      BaseModelArn: 'arn:aws:sagemaker:us-west-2:aws:hub-content/SageMakerPublicHub/Model/tiny',
    },
    OutputConfig: { S3Location: { Path: 's3://bucket/out' } },
  };
}

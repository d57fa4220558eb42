import { join } from 'node:path';
import type { CleanupStack } from '@art/ground';
import { byteTokenizer, startLocalTrainingSessions, writeByteTokenizer } from '@art/train/local';
import { type SageMakerAccount, sagemakerAccount, sagemakerTraining } from '@art/train-sagemaker';
import type { OpenedService } from './opened-service.ts';

const localContext = 16_384;
export const localModelArn = 'arn:aws:sagemaker:us-west-2:aws:hub-content/SageMakerPublicHub/Model/rehearsal';

export interface LocalService extends OpenedService {
  account: SageMakerAccount;
}

/** Training sessions of this machine, behind the wire of SageMaker's. */
export async function openLocalService(parts: CleanupStack, state: string): Promise<LocalService> {
  const tokenizer = join(state, 'tokenizer');
  await writeByteTokenizer(tokenizer);
  const sessions = await startLocalTrainingSessions({
    directory: join(state, 'sessions'),
    shape: {
      vocabularySize: byteTokenizer.vocabularySize,
      hiddenSize: 64,
      intermediateSize: 128,
      layers: 2,
      heads: 4,
      headSize: 16,
      maxContext: localContext,
      endToken: byteTokenizer.endToken,
    },
    tokenBytes: byteTokenizer.tokenBytes,
    // The driver asks again after ten seconds.
    describesUntilRunning: 0,
  });
  parts.defer(() => sessions.close());
  const place = {
    region: 'us-west-2',
    endpoint: sessions.endpoint,
    credentials: () => Promise.resolve({ accessKeyId: 'local', secretAccessKey: 'local-secret' }),
  };
  const service = sagemakerTraining({
    ...place,
    roleArn: 'arn:aws:iam::123456789012:role/rehearsal',
    baseModelArn: localModelArn,
    outputS3: 's3://rehearsal/out',
    runtimeEndpoint: sessions.endpoint,
    pollMs: 20,
  });
  return {
    // Its sessions end with this process: the register of sessions that cost money keeps none.
    service: { ...service, name: 'local' },
    account: sagemakerAccount(place),
    tokenizer,
    described:
      'this machine, a small random policy: the score means nothing; a trace of chance in the rewards makes every group train',
    minSampleTokens: 512,
    maxContext: localContext,
  };
}

import { type Operation, operations } from './wire/operations.ts';
import { readTrainingOptions, type SageMakerTrainingOptions } from './options/sagemaker-training-options.ts';

interface Statement {
  Sid: string;
  Effect: 'Allow';
  Action: string | string[];
  Resource?: string | string[];
  Principal?: { Service: string };
  Condition?: { StringEquals: Record<string, string> };
}

/** A document of rights, as IAM reads it. */
export interface TrainingPolicy {
  Version: '2012-10-17';
  Statement: Statement[];
}

/** The rights around training sessions. */
export interface TrainingPolicies {
  /** For the identity that trains: the operations that this package sends, on its sessions, its model and its role. */
  caller: TrainingPolicy;
  /** For the role that sessions work as. */
  role: {
    /** Policy of who may work as the role. */
    trust: TrainingPolicy;
    /** AWS documents the rights of a session by this policy alone; its single actions are not published. */
    managedPolicies: string[];
    /** Weights and states, where `outputS3` says. */
    policy: TrainingPolicy;
  };
}

const service = 'sagemaker.amazonaws.com';
/** Pattern of the names of all our sessions: those of `art train` and of `art doctor`. */
const ownSessions = 'art-*';
/** Where AWS's SDK lists saved weights. A right for all groups would be one to delete the models of others. */
const usualGroup = 'sagemaker-default';

/**
 * The smallest rights for training with these options. An action has the name of its operation, as everywhere at AWS; no account was there to try it.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function trainingPolicies(options: SageMakerTrainingOptions): TrainingPolicies {
  const {
    region,
    roleArn,
    baseModelArn,
    outputS3,
    tags = {},
    kmsKeyArn,
    modelPackageGroupArn,
  } = readTrainingOptions(options);
  const [, partition, , , account] = roleArn.split(':') as [string, string, string, string, string];
  const resources: Record<(typeof operations)[Operation], string | string[]> = {
    session: `arn:${partition}:sagemaker:${region}:${account}:training-session/${ownSessions}`,
    model: [baseModelArn, baseModelArn.replace(/:hub-content\/([^/]+)\/.*$/, ':hub/$1')],
    package: `arn:${partition}:sagemaker:${region}:${account}:model-package/${modelPackageGroupArn?.split('/').at(-1) ?? usualGroup}/*`,
    any: '*',
  };
  const named = Object.keys(operations) as Operation[];
  const allow = (Sid: string, kind: keyof typeof resources): Statement => ({
    Sid,
    Effect: 'Allow',
    Action: named.filter((name) => operations[name] === kind).map((name) => `sagemaker:${name}`),
    Resource: resources[kind],
  });
  const sessions = allow('OwnSessions', 'session');
  const output = placeOf(outputS3, partition);
  return {
    caller: policy(
      Object.keys(tags).length === 0
        ? sessions
        : { ...sessions, Action: [sessions.Action, 'sagemaker:AddTags'].flat() },
      allow('SeeWhatRuns', 'any'),
      allow('ReadBaseModel', 'model'),
      allow('DeleteVersions', 'package'),
      {
        Sid: 'GiveTheRole',
        Effect: 'Allow',
        Action: 'iam:PassRole',
        Resource: roleArn,
        Condition: { StringEquals: { 'iam:PassedToService': service } },
      },
    ),
    role: {
      trust: policy({
        Sid: 'SessionsWorkAsThisRole',
        Effect: 'Allow',
        Principal: { Service: service },
        Action: 'sts:AssumeRole',
        Condition: { StringEquals: { 'aws:SourceAccount': account } },
      }),
      managedPolicies: [`arn:${partition}:iam::aws:policy/AmazonSageMakerTrainingSessionFullAccess`],
      policy: policy(
        {
          Sid: 'WeightsAndStates',
          Effect: 'Allow',
          Action: ['s3:PutObject', 's3:GetObject'],
          Resource: `${output.bucket}/${output.keys}`,
        },
        { Sid: 'FindThem', Effect: 'Allow', Action: 's3:ListBucket', Resource: output.bucket },
        ...(kmsKeyArn === undefined
          ? []
          : [
              {
                Sid: 'EncryptThem',
                Effect: 'Allow',
                Action: ['kms:GenerateDataKey', 'kms:Decrypt'],
                Resource: kmsKeyArn,
              } as const satisfies Statement,
            ]),
      ),
    },
  };
}

function policy(...Statement: Statement[]): TrainingPolicy {
  return { Version: '2012-10-17', Statement };
}

/** `s3://bucket/prefix`, or the same as the address of an object. */
function placeOf(outputS3: string, partition: string): { bucket: string; keys: string } {
  const { protocol, hostname, pathname } = new URL(outputS3);
  const bucket = protocol === 's3:' ? hostname : hostname.replace(/\.s3[.-].*$/, '');
  const prefix = pathname.replace(/^\/|\/$/g, '');
  return { bucket: `arn:${partition}:s3:::${bucket}`, keys: prefix === '' ? '*' : `${prefix}/*` };
}

const vllm = [
  'vLLM serves the adapter beside its base model. --max-lora-rank is at least --lora-rank of the run:',
  '  vllm serve <base model> --enable-lora --max-lora-rank 32 \\',
  '    --lora-modules tuned=./tuned',
];

const modelLine =
  'In the agent one line changes, the model that calls of users name: "tuned", or the name that Bedrock or SageMaker gave.';

/**
 * Commands that serve the weights of a run, a line each.
 * @param weights as the service names them
 * @param state of the same step
 */
export function servingOf(weights: string, state: string): string[] {
  if (weights.includes(':model-package/')) return [...servingOfPackage(weights, state), modelLine];
  if (weights.startsWith('tinker://')) {
    return [
      'Tinker gives the adapter, and no merged weights: download it with its own command into ./tuned.',
      ...vllm,
      modelLine,
    ];
  }
  return ['These are weights of a rehearsal on this machine: there is nothing to serve.'];
}

/** The operations and their members are those of AWS's service models. */
function servingOfPackage(weights: string, state: string): string[] {
  const region = `--region ${weights.split(':')[3]}`;
  const session = `${region} --training-session-name merge-tuned`;
  const runtime = 'aws sagemakertrainingsessionruntime';
  return [
    'No account has confirmed the commands of AWS below, nor that the adapter has the layout which vLLM reads.',
    'The address of the adapter in S3, and the adapter:',
    `  aws sagemaker describe-model-package ${region} --model-package-name ${weights} --output text --query 'InferenceSpecification.Containers[0].ModelDataSource.S3DataSource.S3Uri'`,
    '  aws s3 cp --recursive <address> ./tuned',
    ...vllm,
    'Bedrock and an endpoint take merged weights. A session makes them of the state of this step, with the rank and the base model of the run. It costs money until it is stopped:',
    `  aws sagemaker create-training-session ${session} --lora-config Rank=32,Alpha=64 --model-config BaseModelArn=<base model> --role-arn <role of the run> --output-config 'S3Location={Path=<s3://bucket/prefix>}'`,
    `  aws sagemaker describe-training-session ${session}   # until it is Running`,
    `  ${runtime} execute-training-operation ${session} --sequence-number 1 --operation-config 'loadState={modelPackageArn=${state},loadOptimizer=false}'`,
    `  ${runtime} execute-training-operation ${session} --sequence-number 2 --operation-config 'saveWeights={mergeWeights=true}'`,
    `  ${runtime} get-training-operation-result ${session} --operation-id <of the second>   # until it is Completed: modelPackageArn`,
    `  aws sagemaker stop-training-session ${session}`,
    'Bedrock imports them. They lie below checkpoints/hf_merged/ of the address that describe-model-package tells of the new ARN:',
    `  aws bedrock create-model-import-job ${region} --job-name tuned --imported-model-name tuned --role-arn <role that reads the bucket> --model-data-source 's3DataSource={s3Uri=<address of hf_merged>}'`,
    'Or an endpoint of SageMaker:',
    `  aws sagemaker create-model ${region} --model-name tuned --execution-role-arn <role> --primary-container ModelPackageName=<new ARN>`,
    `  aws sagemaker create-endpoint-config ${region} --endpoint-config-name tuned --production-variants VariantName=tuned,ModelName=tuned,InitialInstanceCount=1,InstanceType=<instance>`,
    `  aws sagemaker create-endpoint ${region} --endpoint-name tuned --endpoint-config-name tuned`,
  ];
}

import { defaultProvider } from '@aws-sdk/credential-provider-node';
import type { SignRequest } from '@art/gateway';
import { Hash } from '@smithy/hash-node';
import { SignatureV4 } from '@smithy/signature-v4';

/** Signs requests to workers with the credentials of this environment, by AWS Signature Version 4. @param service such as `bedrock` */
export function signByAws(service: string, region: string): SignRequest {
  const signer = new SignatureV4({
    credentials: defaultProvider({ clientConfig: { region } }),
    region,
    service,
    sha256: Hash.bind(null, 'sha256'),
  });
  return async ({ method, url, body }) => {
    const { protocol, hostname, port, host, pathname, searchParams } = new URL(url);
    const signed = await signer.sign({
      method,
      protocol,
      hostname,
      ...(port !== '' && { port: Number(port) }),
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: { host },
      ...(body !== undefined && { body }),
    });
    const { host: _, ...headers } = signed.headers;
    return headers;
  };
}

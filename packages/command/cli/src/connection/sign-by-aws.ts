import { defaultProvider } from '@aws-sdk/credential-provider-node';
import type { UnsignedRequest } from '@art/gateway';
import { Hash } from '@smithy/hash-node';
import { SignatureV4 } from '@smithy/signature-v4';

/** Gives the headers of a request that is signed. */
export type SignByAws = (
  request: UnsignedRequest & { headers?: Readonly<Record<string, string>> },
) => Promise<Readonly<Record<string, string>>>;

/** Signs requests with the credentials of this environment, by AWS Signature Version 4. @param service such as `bedrock` */
export function signByAws(service: string, region: string): SignByAws {
  const signer = new SignatureV4({
    credentials: defaultProvider({ clientConfig: { region } }),
    region,
    service,
    sha256: Hash.bind(null, 'sha256'),
  });
  return async ({ method, url, body, headers = {} }) => {
    const { protocol, hostname, port, host, pathname, searchParams } = new URL(url);
    const signed = await signer.sign({
      method,
      protocol,
      hostname,
      ...(port !== '' && { port: Number(port) }),
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: { host, ...headers },
      ...(body !== undefined && { body }),
    });
    const { host: _, ...given } = signed.headers;
    return given;
  };
}

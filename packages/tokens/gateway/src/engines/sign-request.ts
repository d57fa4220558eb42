/** A request to a worker, before it is signed. */
export interface UnsignedRequest {
  method: string;
  url: string;
  body: Uint8Array | undefined;
}

/** Makes the headers by which a worker knows the gateway, such as a signature of AWS. The body stays as it is. */
export type SignRequest = (request: UnsignedRequest) => Promise<Readonly<Record<string, string>>>;

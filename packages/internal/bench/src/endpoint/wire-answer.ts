/** A response before it is written. */
export interface WireAnswer {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

const json = { 'content-type': 'application/json' };
const xml = { 'content-type': 'application/xml' };

export function jsonAnswer(value: unknown): WireAnswer {
  return { status: 200, headers: json, body: JSON.stringify(value) };
}

export function xmlAnswer(body: string): WireAnswer {
  return { status: 200, headers: xml, body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}` };
}

/** An error as the AgentCore data plane spells it. */
export function serviceError(status: number, type: string, message: string): WireAnswer {
  return { status, headers: { ...json, 'x-amzn-errortype': type }, body: JSON.stringify({ message }) };
}

/** An error as S3 spells it. */
export function storeError(status: number, code: string): WireAnswer {
  return { ...xmlAnswer(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`), status };
}

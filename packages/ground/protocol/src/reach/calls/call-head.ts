import { badWire } from '../wire/record.ts';
import type { RawHeaders } from './forwarded-headers.ts';
import { readObject } from './read-object.ts';

/** The head that opens a call. */
export interface CallHead {
  /** Number of the call within the session: the same call on another socket has the same number. */
  call: number;
  method: string;
  /** With its query. */
  path: string;
  headers: RawHeaders;
  bodyBytes: number;
}

/** The head of the answer. */
export interface AnswerHead {
  status: number;
  headers: RawHeaders;
}

/** Why a call is broken off that the gateway has had already: sent once more it would be sampled twice. */
export const seenReason = 'seen';

const token = /^[\w!#$%&'*+.^`|~-]+$/;
// What Node's own writer of headers lets through.
const headerText = /^[\t\x20-\x7e\x80-\xff]*$/;

export function writeHead(head: CallHead | AnswerHead): Buffer {
  return Buffer.from(JSON.stringify(head));
}

/** @throws ArtError `ART_REACH_WIRE` */
export function readCallHead(bytes: Buffer): CallHead {
  const { call, method, path, headers, bodyBytes } = readObject(bytes, 'head of a call');
  if (!isCount(call) || !isCount(bodyBytes)) throw badWire('a call with a number and the length of its body');
  if (typeof method !== 'string' || !token.test(method) || method === 'CONNECT')
    throw badWire('a method other than CONNECT');
  if (typeof path !== 'string') throw badWire('a path');
  return { call, method, path, headers: rawHeaders(headers), bodyBytes };
}

/** @throws ArtError `ART_REACH_WIRE` */
export function readAnswerHead(bytes: Buffer): AnswerHead {
  const { status, headers } = readObject(bytes, 'head of an answer');
  if (!isCount(status) || status < 200 || status > 599) throw badWire('a status from 200 to 599');
  return { status, headers: rawHeaders(headers) };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function rawHeaders(value: unknown): RawHeaders {
  const isRaw =
    Array.isArray(value) &&
    value.length % 2 === 0 &&
    value.every((text, at) => typeof text === 'string' && (at % 2 === 0 ? token : headerText).test(text));
  if (!isRaw) throw badWire('headers as a list of names and values');
  return value as RawHeaders;
}

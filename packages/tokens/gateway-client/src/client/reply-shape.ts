import { describeValue, isJsonObject, type JsonObject, type JsonValue } from '@art/ground';
import { GatewayError } from './gateway-error.ts';

/** The answer if it is an object. @throws GatewayError `ART_GATEWAY_BAD_REPLY` */
export function objectReply(call: string, value: JsonValue): JsonObject {
  if (!isJsonObject(value)) refuse(call, 'an object', value);
  return value;
}

/** The answer if it is a list. @throws GatewayError `ART_GATEWAY_BAD_REPLY` */
export function listReply<Item>(call: string, value: JsonValue): Item[] {
  if (!Array.isArray(value)) refuse(call, 'a list', value);
  return value as unknown as Item[];
}

/** A field of the answer that is a whole number. @throws GatewayError `ART_GATEWAY_BAD_REPLY` */
export function numberMember(call: string, value: JsonValue, member: string): number {
  const number = objectReply(call, value)[member];
  if (typeof number !== 'number') refuse(call, `a number in ${member}`, number);
  return number;
}

/** A field of the answer that is text. @throws GatewayError `ART_GATEWAY_BAD_REPLY` */
export function textMember(call: string, value: JsonValue, member: string): string {
  const text = objectReply(call, value)[member];
  if (typeof text !== 'string') refuse(call, `text in ${member}`, text);
  return text;
}

/** A field that may be missing or null. @throws GatewayError `ART_GATEWAY_BAD_REPLY` */
export function optionalTextMember(call: string, value: JsonValue, member: string): string | undefined {
  const found = objectReply(call, value)[member];
  return found === undefined || found === null ? undefined : textMember(call, value, member);
}

function refuse(call: string, expected: string, got: unknown): never {
  throw new GatewayError({
    code: 'ART_GATEWAY_BAD_REPLY',
    call,
    message: `expected ${expected}, got ${describeValue(got)}. Is this a gateway?`,
  });
}

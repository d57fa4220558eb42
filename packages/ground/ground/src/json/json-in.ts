import type { JsonObject, JsonValue } from './json-value.ts';
import { isJsonObject } from './json-value.ts';
import { parseJson } from './parse-json.ts';

/** The value of a text as `parseJson` reads it; `other` where it is no JSON. */
export function jsonIn<Other = undefined>(text: string, other?: Other): JsonValue | Other {
  try {
    return parseJson(text);
  } catch {
    return other as Other;
  }
}

/** The object of a text; undefined where it is no JSON, or another value. */
export function jsonObjectIn(text: string): JsonObject | undefined {
  const value = jsonIn(text);
  return isJsonObject(value) ? value : undefined;
}

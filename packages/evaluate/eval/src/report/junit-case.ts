/** The outcome of a test case, as JUnit knows it. */
export type CaseKind = 'passed' | 'failure' | 'error' | 'skipped';

/** A test case, as XML. */
export interface JunitCase {
  kind: CaseKind;
  text: string;
}

export function seconds(ms: number | null): string {
  return ((ms ?? 0) / 1_000).toFixed(3);
}

/** XML 1.0 has no way to write most control characters or half a surrogate pair (https://www.w3.org/TR/xml/#charsets). */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

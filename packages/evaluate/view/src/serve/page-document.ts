import { createHash } from 'node:crypto';
import { pageParts } from './page-parts.ts';

/** The page as HTML, cut where an exported file has its data, and the policy under which it runs. */
export interface PageDocument {
  head: string;
  tail: string;
  /** `Content-Security-Policy`: only its own program and style run, and nothing is asked of another origin. */
  policy(connect: "'self'" | "'none'"): string;
}

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M1 14V9h3v5zM6.5 14V2h3v12zM12 14V6h3v8z' fill='%234466dd'/%3E%3C/svg%3E";

/** @param metaPolicy Whether the policy stands in the page itself, because no server will send it */
export async function pageDocument({ metaPolicy }: { metaPolicy: boolean }): Promise<PageDocument> {
  const { script, style } = await pageParts();
  const policy = (connect: string): string =>
    [
      "default-src 'none'",
      `script-src ${hashOf(script)}`,
      `style-src ${hashOf(style)}`,
      'img-src data:',
      `connect-src ${connect}`,
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; ');
  const meta = metaPolicy
    ? `<meta http-equiv="Content-Security-Policy" content="${policy("'none'")}">\n`
    : '';
  return {
    policy,
    head: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${meta}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>art view</title>
<link rel="icon" href="${icon}">
<style>${style}</style>
</head>
<body>
<div id="page"><p class="loading">Reading the run…</p></div>
<noscript>This page needs JavaScript; it asks nothing of any other machine.</noscript>
`,
    tail: `<script>${script}</script>\n</body>\n</html>\n`,
  };
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

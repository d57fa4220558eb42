import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { RunRecord } from '../records/run-record.ts';
import type { SampleRecord } from '../records/sample-record.ts';
import type { ResultsRecord } from '../records/results-record.ts';
import { readSamples } from '../records/read-samples.ts';

/**
 * Writes a run as JUnit XML: a test case a sample, a failure where it did not pass, an error where it could not be judged. Samples are read
 * one after the other.
 */
export async function writeJunitXml(
  folder: string,
  run: RunRecord,
  results: ResultsRecord,
  path: string,
): Promise<void> {
  // Later lines replace earlier ones, so it has to be known first which one counts.
  const lastByte = new Map<string, number>();
  let failures = 0;
  const verdicts = new Map<string, boolean>();
  for await (const { record, endByte } of readSamples(folder)) {
    lastByte.set(record.id, endByte);
    verdicts.set(record.id, record.score !== null && record.score < run.passReward);
  }
  for (const isFailure of verdicts.values()) if (isFailure) failures += 1;
  const file = createWriteStream(path);
  const ended = finished(file);
  const write = async (text: string): Promise<void> => {
    if (!file.write(text)) await Promise.race([once(file, 'drain'), ended]);
  };
  const name = escaped(run.name ?? run.agent);
  const counts = `tests="${results.samples.recorded}" failures="${failures}" errors="${results.apart.count}" time="${seconds(results.wallMs)}"`;
  await write(
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n<testsuite name="${name}" ${counts}>\n`,
  );
  for await (const { record, endByte } of readSamples(folder))
    if (lastByte.get(record.id) === endByte) await write(testCase(record, run));
  await write('</testsuite>\n</testsuites>\n');
  file.end();
  await ended;
}

function testCase(record: SampleRecord, run: RunRecord): string {
  const open = `<testcase classname="${escaped(run.name ?? run.agent)}" name="${escaped(record.id)}" time="${seconds(record.latencyMs)}"`;
  const error = record.error ?? record.judgeError;
  if (record.score === null) {
    const said = error?.message ?? 'It has no reward.';
    return `${open}><error type="${escaped(error?.code ?? record.outcome)}" message="${escaped(said)}">${escaped(error?.stack ?? '')}</error></testcase>\n`;
  }
  if (record.score >= run.passReward) return `${open}/>\n`;
  const why = error === null ? `score ${record.score}, wanted ${run.passReward}` : error.message;
  const details = [...record.remarks, error?.stack ?? ''].join('\n');
  return `${open}><failure type="${escaped(error?.code ?? record.outcome)}" message="${escaped(why)}">${escaped(details)}</failure></testcase>\n`;
}

function seconds(ms: number | null): string {
  return ((ms ?? 0) / 1_000).toFixed(3);
}

/** XML 1.0 has no way to write most control characters or half a surrogate pair (https://www.w3.org/TR/xml/#charsets). */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

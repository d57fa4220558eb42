import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ArtError } from '@art/ground';
import { findRuns, type RunFolder } from '../read/find-runs.ts';
import { blockName, type ExportedIndex } from '../report/exported-data.ts';
import { jsonLine } from '../report/json-text.ts';
import { packRows, type SampleRow } from '../report/sample-row.ts';
import { pageDocument } from '../serve/page-document.ts';

export interface ExportViewOptions {
  folders: readonly string[];
  /** Path of the HTML file; one that is there is replaced. */
  file: string;
  signal?: AbortSignal | undefined;
}

const compress = promisify(gzip);
/** Samples whose details are compressed together: enough to find repetitions, few enough to open one at once. */
const blockCharacters = 1 << 20;
/** More than any run has. */
const all = Number.MAX_SAFE_INTEGER;

/**
 * Writes runs and the page that shows them into one file, which opens without a server. Memory is bounded by the largest sample.
 * @returns how many bytes the file has, and how many of these are the page
 * @throws ArtError `ART_INVALID_OPTION` where a folder has no run; `ART_VIEW_EXPORT_FAILED`
 */
export async function exportView({
  folders,
  file,
  signal,
}: ExportViewOptions): Promise<{ bytes: number; pageBytes: number }> {
  const runs = await findRuns(folders);
  for (const run of runs) await run.refresh();
  const page = await pageDocument({ metaPolicy: true });
  const pageBytes = Buffer.byteLength(page.head + page.tail);
  let bytes = 0;
  const parts = async function* parts(): AsyncGenerator<string> {
    for await (const part of documentOf(runs, page)) {
      bytes += Buffer.byteLength(part);
      yield part;
    }
  };
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await pipeline(
      Readable.from(parts()),
      createWriteStream(temporary),
      signal === undefined ? {} : { signal },
    );
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    signal?.throwIfAborted();
    throw new ArtError({
      code: 'ART_VIEW_EXPORT_FAILED',
      message: `Expected to write ${file}, got: ${(error as Error).message}. Make room, or name another file.`,
      cause: error,
    });
  }
  return { bytes, pageBytes };
}

async function* documentOf(
  runs: readonly RunFolder[],
  page: { head: string; tail: string },
): AsyncGenerator<string> {
  yield page.head;
  const index: ExportedIndex = { exportedAtMs: Date.now(), runs: [], details: [] };
  for (const [number, run] of runs.entries()) {
    // What a file shows does not continue.
    index.runs.push({ ...run.info(), isLive: false });
    const firsts: number[] = [];
    index.details.push(firsts);
    yield await block(blockName.health(number), jsonLine(await run.health()));
    if (run.kind === 'report') continue;
    if (run.kind === 'training') {
      yield await block(blockName.steps(number), jsonLine(run.steps(0, all)));
      continue;
    }
    if (run.kind === 'groups') {
      yield await block(blockName.groups(number), jsonLine(run.groups(0, all)));
      continue;
    }
    yield await block(blockName.rows(number), jsonLine(packRows(latestOf(run.rows(0, all)))));
    for await (const { first, json } of detailBlocks(run)) {
      firsts.push(first);
      yield await block(blockName.details(number, first), json);
    }
  }
  yield await block(blockName.index, jsonLine(index));
  yield page.tail;
}

function latestOf(rows: readonly SampleRow[]): SampleRow[] {
  const latest: SampleRow[] = [];
  for (const row of rows) latest[row.at] = row;
  return latest;
}

async function* detailBlocks(
  run: Extract<RunFolder, { kind: 'evaluation' }>,
): AsyncGenerator<{ first: number; json: string }> {
  let texts: string[] = [];
  let characters = 0;
  let first = 0;
  for await (const detail of run.details()) {
    const text = jsonLine(detail);
    texts.push(text);
    characters += text.length;
    if (characters < blockCharacters) continue;
    yield { first, json: `[${texts.join(',')}]` };
    first += texts.length;
    texts = [];
    characters = 0;
  }
  if (texts.length > 0) yield { first, json: `[${texts.join(',')}]` };
}

async function block(name: string, json: string): Promise<string> {
  const packed = await compress(json, { level: 9 });
  return `<script type="application/gzip" data-name="${name}">${packed.toString('base64')}</script>\n`;
}

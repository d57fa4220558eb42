import { createReadStream } from 'node:fs';
import { basename, extname } from 'node:path';
import { ArtError, decodeText, isJsonObject, parseJson, readTextLines, refuseData } from '@art/ground';
import { parse as parseCsv } from 'csv-parse';
import { parquetRows } from './parquet-rows.ts';

/** One thing of a file of data. */
export interface DataRow {
  value: unknown;
  /** The name of a row that has no id. */
  name: string;
  /** For messages: `tasks.jsonl, line 3` */
  place: string;
  /** True for a row of a table, whose members are columns. */
  isOfTable: boolean;
}

type ReadRows = (file: string, name: string, prefix: string) => AsyncGenerator<DataRow, void, undefined>;

const readers: Record<string, ReadRows> = {
  '.jsonl': ofLines,
  '.ndjson': ofLines,
  '.json': ofJson,
  '.csv': ofText,
  '.tsv': ofText,
  '.parquet': ofParquet,
};

/** Formats of data, for messages. */
export const dataFormats = '.jsonl, .json, .csv, .tsv or .parquet';

/** True for the name of a file that `readRows` reads. */
export function isDataFile(name: string): boolean {
  return readers[extname(name).toLowerCase()] !== undefined;
}

/**
 * The rows of a file, by its ending.
 * @param prefix of the names of rows that are known by their number
 * @throws ArtError `ART_INVALID_OPTION`, `ART_INVALID_PAYLOAD`, `ART_TEXT_ENCODING`
 */
export function readRows(file: string, prefix = ''): AsyncGenerator<DataRow, void, undefined> {
  return readers[extname(file).toLowerCase()]!(file, basename(file), prefix);
}

async function* ofLines(
  file: string,
  name: string,
  prefix: string,
): AsyncGenerator<DataRow, void, undefined> {
  const input = createReadStream(file);
  try {
    for await (const { text, number } of readTextLines(input, name)) {
      if (text.trim() === '') continue;
      const place = `${name}, line ${number}`;
      yield { value: parsed(text.trim(), place), name: `${prefix}${number}`, place, isOfTable: false };
    }
  } finally {
    input.destroy();
  }
}

async function* ofJson(file: string, name: string, prefix: string): AsyncGenerator<DataRow, void, undefined> {
  const whole = parsed((await wholeText(file)).trim(), name);
  // AgentCore Evaluations' data sets are an object around their list.
  const value = isJsonObject(whole) && Array.isArray(whole['scenarios']) ? whole['scenarios'] : whole;
  if (!Array.isArray(value))
    yield { value, name: basename(file, extname(file)), place: name, isOfTable: false };
  else
    for (const [at, item] of value.entries())
      yield { value: item, name: `${prefix}${at + 1}`, place: `${name}, item ${at + 1}`, isOfTable: false };
}

/** The whole of a file that is UTF-8. */
async function wholeText(file: string): Promise<string> {
  return (await Array.fromAsync(decodeText(createReadStream(file), basename(file)))).join('');
}

/** Text with a header line, separated by commas, semicolons or tabs. An empty cell says nothing but in a payload. */
async function* ofText(file: string, name: string, prefix: string): AsyncGenerator<DataRow, void, undefined> {
  const text = await wholeText(file);
  const delimiter = name.toLowerCase().endsWith('.tsv') ? '\t' : delimiterOf(text);
  const parser = parseCsv(text, {
    columns: (header: string[]) => distinctColumns(header, name),
    delimiter,
    skip_empty_lines: true,
    relax_column_count: false,
    // Tabs need no quotes, and many files have single ones in their texts.
    relax_quotes: delimiter === '\t',
  });
  let number = 0;
  try {
    for await (const row of parser as AsyncIterable<Record<string, string>>) {
      number += 1;
      const place = `${name}, row ${number}`;
      const { payload, ...others } = row;
      const value = payload === undefined ? others : { ...others, payload: parsed(payload, place) };
      yield { value, name: `${prefix}${number}`, place, isOfTable: true };
    }
  } catch (cause) {
    if (ArtError.isInstance(cause)) throw cause;
    refuseData('CSV with a header line', `${name}: ${(cause as Error).message}`, cause);
  } finally {
    parser.destroy();
  }
}

/** The separator of a header line: the one of `,`, `;` and tab that stands in it most often outside of quotes. */
function delimiterOf(text: string): string {
  const header = /^(?:"(?:[^"]|"")*"|[^"\n])*/.exec(text)![0].replaceAll(/"(?:[^"]|"")*"/g, '');
  const counts = [',', ';', '\t'].map((mark) => [header.split(mark).length, mark] as const);
  return counts.toSorted(([first], [second]) => second - first)[0]![1];
}

function distinctColumns(header: string[], file: string): string[] {
  const twice = header.find((column, at) => header.indexOf(column) !== at);
  if (twice !== undefined)
    refuseData('columns with different names', `${file} with two columns ${JSON.stringify(twice)}`);
  return header;
}

async function* ofParquet(
  file: string,
  name: string,
  prefix: string,
): AsyncGenerator<DataRow, void, undefined> {
  let number = 0;
  for await (const value of parquetRows(file)) {
    number += 1;
    yield { value, name: `${prefix}${number}`, place: `${name}, row ${number}`, isOfTable: true };
  }
}

function parsed(text: string, place: string): unknown {
  try {
    return parseJson(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw new ArtError({
      code: 'ART_INVALID_PAYLOAD',
      message: `Expected JSON, got something else in ${place}: ${(cause as Error).message}`,
      cause,
    });
  }
}

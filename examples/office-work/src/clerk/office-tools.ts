import {
  type Cell,
  cellRef,
  openXlsx,
  parseCellRef,
  type RoundtripWorkbook,
  saveXlsx,
  type Sheet,
} from 'hucre/xlsx';
import { Type } from 'typebox';
import { WordDocument } from '../files/document.ts';
import type { OfficeFiles } from '../files/office-files.ts';
import { type Tool, tool, ToolRefusal } from './tool.ts';

const file = Type.String({ description: 'Name of the file' });
const sheet = Type.String({ description: 'Name of the sheet' });
const paragraph = Type.Integer({ minimum: 1, description: 'Number of the paragraph, from 1' });
const text = Type.String();
const CellInput = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]);

/** Tools of the clerk for the files. */
export function officeTools(files: OfficeFiles): Record<string, Tool> {
  const bytesOf = (name: string, ending: string): Uint8Array => {
    if (!name.endsWith(ending)) refuse(`"${name}" is no ${ending} file`);
    return files.get(name) ?? refuse(`there is no file "${name}"`);
  };
  const workbookOf = (name: string): Promise<RoundtripWorkbook> =>
    openXlsx(bytesOf(name, '.xlsx')).catch((error: Error) =>
      refuse(`"${name}" cannot be read: ${error.message}`),
    );
  const documentOf = (name: string): WordDocument => {
    const bytes = bytesOf(name, '.docx');
    try {
      return new WordDocument(bytes);
    } catch (error) {
      return refuse(`"${name}" cannot be read: ${(error as Error).message}`);
    }
  };
  const editDocument = (name: string, at: number, edit: (document: WordDocument) => void): string => {
    const document = documentOf(name);
    if (at > document.paragraphs().length) refuse(`"${name}" has no paragraph ${at}`);
    edit(document);
    files.set(name, document.toBytes());
    return 'Done.';
  };

  return {
    list_files: tool('Lists the files.', {}, async () => [...files.keys()].join('\n')),
    read_sheets: tool(
      'Shows all cells of a spreadsheet that are not empty. A formula begins with "=".',
      { file },
      async (args) => {
        const { sheets } = await workbookOf(args.file);
        return sheets.map((one) => `Sheet ${one.name}\n${shownCells(one)}`).join('\n\n');
      },
    ),
    set_cells: tool(
      'Writes cells of a sheet, such as {"B2": 5, "C2": "=A2*B2", "D2": "text", "E2": null}; null empties a cell.',
      { file, sheet, cells: Type.Record(Type.String(), CellInput) },
      async (args) => {
        const workbook = await workbookOf(args.file);
        const found =
          workbook.sheets.find(({ name }) => name === args.sheet) ??
          refuse(`there is no sheet "${args.sheet}"`);
        for (const [ref, value] of Object.entries(args.cells)) setCell(found, ref, value);
        files.set(args.file, await saveXlsx(workbook));
        return 'Done.';
      },
    ),
    read_document: tool(
      'Shows the paragraphs of a Word document with their numbers.',
      { file },
      async (args) =>
        documentOf(args.file)
          .paragraphs()
          .map((one, index) => `${index + 1}: ${one.text}`)
          .join('\n'),
    ),
    set_paragraph: tool('Gives a paragraph another text.', { file, paragraph, text }, async (args) =>
      editDocument(args.file, args.paragraph, (document) => document.setText(args.paragraph - 1, args.text)),
    ),
    insert_paragraph: tool(
      'Puts a new paragraph behind another one. The numbers of those behind it grow.',
      { file, paragraph, text },
      async (args) =>
        editDocument(args.file, args.paragraph, (document) =>
          document.insertAfter(args.paragraph - 1, args.text),
        ),
    ),
    remove_paragraph: tool(
      'Removes a paragraph. The numbers of those behind it shrink.',
      { file, paragraph },
      async (args) =>
        editDocument(args.file, args.paragraph, (document) => document.remove(args.paragraph - 1)),
    ),
  };
}

function shownCells({ rows, cells }: Sheet): string {
  const lines: string[] = [];
  for (const [row, values] of rows.entries()) {
    for (const [column, value] of values.entries()) {
      const formula = cells?.get(`${row},${column}`)?.formula;
      if (formula !== undefined) lines.push(`${cellRef(row, column)}: =${formula}`);
      else if (value !== null && value !== undefined)
        lines.push(`${cellRef(row, column)}: ${JSON.stringify(value)}`);
    }
  }
  return lines.join('\n');
}

/** Further than any task needs; a row far below would make all rows above it. */
const mostRows = 10_000;
const mostColumns = 200;

function setCell(target: Sheet, ref: string, value: string | number | boolean | null): void {
  if (!/^[A-Z]{1,3}[1-9]\d{0,6}$/.test(ref)) refuse(`"${ref}" is no cell such as B2`);
  const { row, col } = parseCellRef(ref);
  if (row >= mostRows || col >= mostColumns) refuse(`${ref} is too far away`);
  while (target.rows.length <= row) target.rows.push([]);
  const isFormula = typeof value === 'string' && value.startsWith('=');
  target.rows[row]![col] = isFormula ? null : value;
  target.cells ??= new Map();
  const key = `${row},${col}`;
  const { style } = target.cells.get(key) ?? {};
  const type: Cell['type'] = isFormula ? 'formula' : value === null ? 'empty' : (typeof value as 'string');
  target.cells.set(key, {
    value: isFormula ? null : value,
    type,
    ...(isFormula && { formula: value.slice(1) }),
    ...(style && { style }),
  });
}

function refuse(why: string): never {
  throw new ToolRefusal(why);
}

import { type CellValue as SheetValue, writeXlsx } from 'hucre/xlsx';
import type { Expected } from '../task.ts';
import { makeDocument, type Paragraph } from './make-document.ts';
import type { Random } from './random.ts';

/** A request, its files, what must come of them, and the calls by which a good clerk gets there. */
export interface Draft {
  tags: string[];
  request: string;
  files: Record<string, Uint8Array>;
  expected: Expected;
  calls: { name: string; arguments: Record<string, unknown> }[];
}

export type Kind = (random: Random) => Promise<Draft>;

type Rows = SheetValue[][];
const goods = ['Tea', 'Tea, green', 'Coffee', 'Sugar', 'Cups', 'Cups, small', 'Biscuits', 'Milk', 'Napkins'];
const people = ['Ada Berg', 'Ben Cole', 'Caro Diaz', 'Dan Egede', 'Eva Faro', 'Finn Gray', 'Gia Holm'];
const towns = ['Oslo', 'Lyon', 'Porto', 'Graz', 'Ghent', 'Turku', 'Basel'];

const workbook = (sheets: Record<string, Rows>): Promise<Uint8Array> =>
  writeXlsx({ sheets: Object.entries(sheets).map(([name, rows]) => ({ name, rows })) });
const setCells = (file: string, sheet: string, cells: Record<string, unknown>): Draft['calls'][number] => ({
  name: 'set_cells',
  arguments: { file, sheet, cells },
});
const setParagraph = (file: string, paragraph: number, text: string): Draft['calls'][number] => ({
  name: 'set_paragraph',
  arguments: { file, paragraph, text },
});
/** Cells of one sheet, as they are called in what is expected. */
const onSheet = <Value>(sheet: string, cells: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(cells).map(([ref, value]) => [`${sheet}!${ref}`, value]));
const orderRows = (random: Random): [string, number, number][] =>
  random
    .pick(goods, random.whole(4, 7))
    .map((name) => [name, random.whole(1, 30), random.whole(10, 400) / 10]);
/** Names differ, so that no two requests are the same. */
const named = (random: Random, name: string): string => name.replace('.', `-${random.whole(100, 999)}.`);
const euros = (cents: number): string => (cents / 100).toFixed(2);

const sum: Kind = async (random) => {
  const orders = named(random, 'orders.xlsx');
  const rows = orderRows(random);
  const end = rows.length + 2;
  const cells = { [`A${end}`]: 'Total', [`B${end}`]: `=SUM(B2:B${end - 1})` };
  return {
    tags: ['easy', 'spreadsheet'],
    request: `In ${orders}, write "Total" into column A of the first empty row, and beside it the sum of all quantities, as a formula with SUM.`,
    files: { [orders]: await workbook({ Orders: [['Item', 'Quantity', 'Price'], ...rows] }) },
    expected: { cells: { [orders]: onSheet('Orders', cells) } },
    calls: [setCells(orders, 'Orders', cells)],
  };
};

const price: Kind = async (random) => {
  const prices = named(random, 'prices.xlsx');
  const rows = goods.map((name): [string, number] => [name, random.whole(10, 400) / 10]);
  const at = random.whole(0, rows.length - 1);
  const value = random.whole(500, 900) / 10;
  const cells = { [`B${at + 2}`]: value };
  return {
    tags: ['easy', 'spreadsheet'],
    request: `The price of "${rows[at]![0]}" is now ${value}. Please correct it in the sheet "Now" of ${prices}. The prices of last year must stay.`,
    files: {
      [prices]: await workbook({
        'Last year': [['Item', 'Price'], ...rows],
        Now: [['Item', 'Price'], ...rows],
      }),
    },
    expected: { cells: { [prices]: onSheet('Now', cells) } },
    calls: [setCells(prices, 'Now', cells)],
  };
};

const product: Kind = async (random) => {
  const orders = named(random, 'orders.xlsx');
  const rows = orderRows(random);
  const wanted = rows.map((_, index): [string, string[]] => [
    `D${index + 2}`,
    [`=B${index + 2}*C${index + 2}`, `=C${index + 2}*B${index + 2}`],
  ]);
  return {
    tags: ['medium', 'spreadsheet'],
    request: `Add a column "Amount" on the right of the table in ${orders}: quantity times price, as a formula in each row.`,
    files: { [orders]: await workbook({ Orders: [['Item', 'Quantity', 'Price'], ...rows] }) },
    expected: {
      cells: { [orders]: onSheet('Orders', { D1: 'Amount', ...Object.fromEntries(wanted) }) },
    },
    calls: [
      setCells(orders, 'Orders', {
        D1: 'Amount',
        ...Object.fromEntries(wanted.map(([ref, [formula]]) => [ref, formula])),
      }),
    ],
  };
};

const overdue: Kind = async (random) => {
  const invoices = named(random, 'invoices.xlsx');
  const rows = random
    .pick(people, 6)
    .map((name, index): [string, string, string] => [
      name,
      `2026-03-${String([11, 19, 20, 21, 5, 28][index]).padStart(2, '0')}`,
      index === 4 || index === 5 ? 'yes' : 'no',
    ]);
  // Due before today and not paid: the first two. The third is due today, the fifth is paid.
  const cells = { D2: 'late', D3: 'late' };
  return {
    tags: ['medium', 'spreadsheet'],
    request: `In ${invoices}, write "late" into the column "Note" for every invoice that was due before today and is not paid. Leave the others empty.`,
    files: { [invoices]: await workbook({ Invoices: [['Customer', 'Due', 'Paid', 'Note'], ...rows] }) },
    expected: { cells: { [invoices]: onSheet('Invoices', cells) } },
    calls: [setCells(invoices, 'Invoices', cells)],
  };
};

const lookup: Kind = async (random) => {
  const stock = named(random, 'stock.xlsx');
  const prices = random.pick(goods, 6).map((name): [string, number] => [name, random.whole(10, 400) / 10]);
  const ordered = random.pick(prices, 4);
  // An item that has no price is part of the task.
  const rows: Rows = [...ordered.map(([name]) => [name, random.whole(1, 9), null]), ['Lamps', 2, null]];
  const cells = Object.fromEntries(ordered.map(([, value], index) => [`C${index + 2}`, value]));
  return {
    tags: ['hard', 'spreadsheet'],
    request: `In ${stock}, fill the column "Price" of the sheet "Orders" with the prices that the sheet "Prices" has, as numbers. Where there is no price, write "unknown".`,
    files: {
      [stock]: await workbook({
        Prices: [['Item', 'Price'], ...prices],
        Orders: [['Item', 'Quantity', 'Price'], ...rows],
      }),
    },
    expected: { cells: { [stock]: onSheet('Orders', { ...cells, C6: 'unknown' }) } },
    calls: [setCells(stock, 'Orders', { ...cells, C6: 'unknown' })],
  };
};

const mail = (name: string): string => `${name.split(' ')[0]!.toLowerCase()}@example.com`;

const duplicates: Kind = async (random) => {
  const guests = named(random, 'guests.xlsx');
  const [a, b, c, d] = random.pick(people, 4) as [string, string, string, string];
  const rows = [
    [a, mail(a)],
    [b, mail(b)],
    [`${a.split(' ')[0]!} B.`, mail(a).toUpperCase()],
    [c, mail(c)],
    [d, mail(d)],
    [c, ` ${mail(c)}`],
  ];
  const cells = { C4: 'double', C7: 'double' };
  return {
    tags: ['hard', 'spreadsheet'],
    request: `Some people are in ${guests} twice. Whoever has the same e-mail address is the same person; capitals and blanks make no difference. Write "double" into column C of every row whose person stands in a row above.`,
    files: { [guests]: await workbook({ Guests: [['Name', 'E-mail', 'Note'], ...rows] }) },
    expected: { cells: { [guests]: onSheet('Guests', cells) } },
    calls: [setCells(guests, 'Guests', cells)],
  };
};

const letterTo = (name: string): Paragraph[] => [
  '12 March 2026',
  ['Dear ', `*${name}*`, ','],
  'thank you for your visit. We would like to see you again in May.',
  ['We have kept a place for ', name, ' at the table by the window.'],
  'With kind regards',
];

const writeLetter: Kind = async (random) => {
  const letter = named(random, 'letter.docx');
  const [was, is] = random.pick(people, 2) as [string, string];
  const after = letterTo(is).map((runs) => [runs].flat().join('').replaceAll('*', ''));
  return {
    tags: ['easy', 'document'],
    request: `${letter} shall go to ${is}, not to ${was}. Change the name wherever it stands. The date stays.`,
    files: { [letter]: makeDocument(letterTo(was)) },
    expected: { paragraphs: { [letter]: after } },
    calls: [setParagraph(letter, 2, after[1]!), setParagraph(letter, 4, after[3]!)],
  };
};

const numbered = (texts: readonly string[]): string[] => texts.map((text, index) => `${index + 1}. ${text}`);

const clauses: Kind = async (random) => {
  const contract = named(random, 'contract.docx');
  const all = [
    'Rent is due on the first.',
    'Pets are allowed.',
    'The garden is shared.',
    'Keys are returned.',
  ];
  const gone = random.whole(1, 2);
  const left = numbered(all.filter((_, index) => index !== gone));
  return {
    tags: ['medium', 'document'],
    request: `Remove clause ${gone + 1} from ${contract}, and number the clauses behind it anew.`,
    files: { [contract]: makeDocument(['*Contract*', ...numbered(all), 'Signed on 1 March 2026']) },
    expected: { paragraphs: { [contract]: ['Contract', ...left, 'Signed on 1 March 2026'] } },
    calls: [
      { name: 'remove_paragraph', arguments: { file: contract, paragraph: gone + 2 } },
      ...left.slice(gone).map((text, index) => setParagraph(contract, gone + 2 + index, text)),
    ],
  };
};

const writeReport: Kind = async (random) => {
  const report = named(random, 'report.docx');
  const sales = named(random, 'sales.xlsx');
  const regions = ['North', 'South'];
  const rows = Array.from({ length: 6 }, (_, index): [string, number] => [
    regions[index % 2]!,
    random.whole(1_000, 90_000) / 100,
  ]);
  const [wanted] = random.pick(regions, 1) as [string];
  const cents = rows
    .filter(([region]) => region === wanted)
    .reduce((total, [, amount]) => total + Math.round(amount * 100), 0);
  const sentence = `Sales in the ${wanted} were ${euros(cents)} euros.`;
  return {
    tags: ['medium', 'document', 'spreadsheet'],
    request: `Put a paragraph behind the heading of ${report}: "Sales in the ${wanted} were ... euros." The amount is the sum of that region in ${sales}, with two decimals.`,
    files: {
      [sales]: await workbook({ Sales: [['Region', 'Amount'], ...rows] }),
      [report]: makeDocument(['*Report*', ['All figures are ', '*without*', ' tax.']]),
    },
    expected: { paragraphs: { [report]: ['Report', sentence, 'All figures are without tax.'] } },
    calls: [{ name: 'insert_paragraph', arguments: { file: report, paragraph: 1, text: sentence } }],
  };
};

const fill: Kind = async (random) => {
  const customers = named(random, 'customers.xlsx');
  const bill = named(random, 'bill.docx');
  const rows = random
    .pick(people, 5)
    .map((name, index): [number, string, string, number] => [
      101 + index,
      name,
      towns[random.whole(0, towns.length - 1)]!,
      random.whole(1_000, 90_000) / 100,
    ]);
  const [number, name, town, amount] = random.pick(rows, 1)[0]!;
  const after = [
    `${name}, ${town}`,
    `Customer ${number}`,
    `Please pay ${amount.toFixed(2)} euros by 3 April 2026.`,
    'Thank you',
  ];
  return {
    tags: ['hard', 'document', 'spreadsheet'],
    request: `Fill ${bill} for customer ${number} with what ${customers} says. All that stands in [[ ]] is replaced. Amounts have two decimals. The bill is due in 14 days; write the date like "1 May 2026".`,
    files: {
      [customers]: await workbook({ Customers: [['Number', 'Name', 'Town', 'Open'], ...rows] }),
      // Cut where Word would cut them, so that no run has a whole mark.
      [bill]: makeDocument([
        ['[[NA', 'ME]], [[TOWN', ']]'],
        ['Customer ', '*[[NUMBER]]*'],
        ['Please pay [[', 'AMOUNT]] euros by [[D', 'ATE]].'],
        'Thank you',
      ]),
    },
    expected: { paragraphs: { [bill]: after } },
    calls: after.slice(0, 3).map((text, index) => setParagraph(bill, index + 1, text)),
  };
};

export const kinds: Readonly<Record<string, Kind>> = {
  sum,
  price,
  letter: writeLetter,
  product,
  overdue,
  clauses,
  report: writeReport,
  lookup,
  duplicates,
  fill,
};

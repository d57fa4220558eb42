import type { ReportTable } from '@art/eval';
import type { JSX } from 'preact';
import { oneLine } from '../text/marked-text.ts';

export interface ReportTablesProps {
  tables: readonly ReportTable[];
  /** Address of a row of the first table, by its position. */
  hrefs?: readonly (string | undefined)[];
}

/** Tables as `@art/eval` has made them. */
export function ReportTables({ tables, hrefs = [] }: ReportTablesProps): JSX.Element {
  return (
    <>
      {tables.map(({ columns, rows }, table) => (
        <section class="panel wide" key={table}>
          <table class="plain">
            <thead>
              <tr>
                {columns.map(({ title, align }, at) => (
                  <th scope="col" class={align === 'right' ? 'number' : ''} key={at}>
                    {title === '' ? <span class="unseen">Verdict</span> : title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(([name = '', ...cells], row) => {
                const href = table === 0 ? hrefs[row] : undefined;
                const text = <bdi>{oneLine(name)}</bdi>;
                return (
                  <tr key={row}>
                    <th scope="row">{href === undefined ? text : <a href={href}>{text}</a>}</th>
                    {cells.map((cell, at) => (
                      <td class={columns[at + 1]?.align === 'right' ? 'number' : ''} key={at}>
                        <bdi>{oneLine(cell)}</bdi>
                      </td>
                    ))}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </section>
      ))}
    </>
  );
}

/** A workbook's fixed parts, as specified by ECMA-376. */
import { cutText } from '../../visibleText.ts';
import { xmlText } from './xml.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelationships = 'http://schemas.openxmlformats.org/package/2006/relationships';
const contentTypes = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

export interface Part {
  readonly path: string;
  readonly text: string;
}

/** Indexes into the cell formats of the style sheet. */
export const styles = { header: 1, time: 2 } as const;

export const sheetStart = (widths: readonly (number | undefined)[]) =>
  `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
  `</sheetView></sheetViews>${columnWidths(widths)}<sheetData>`;

export const sheetEnd = '</sheetData></worksheet>';

/** Writes the widths of columns that don't have the default width, in characters. */
function columnWidths(widths: readonly (number | undefined)[]): string {
  const columns = each(widths, (number, width) =>
    width === undefined
      ? ''
      : `<col min="${number}" max="${number}" width="${width}" customWidth="1"/>`,
  );
  return columns === '' ? '' : `<cols>${columns}</cols>`;
}

/** Writes an XML element for each item, numbered from 1. */
function each<T>(items: readonly T[], element: (number: number, item: T) => string): string {
  return items.map((item, index) => element(index + 1, item)).join('');
}

/** The first part of every package. */
export const packagePart: Part = {
  path: '_rels/.rels',
  text: `${declaration}<Relationships xmlns="${packageRelationships}"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
};

export function sheetPath(number: number): string {
  return `xl/worksheets/sheet${number}.xml`;
}

export function workbookParts(sheets: readonly string[]): readonly Part[] {
  return [
    {
      path: 'xl/styles.xml',
      text: `${declaration}<styleSheet xmlns="${main}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
    },
    {
      path: 'xl/workbook.xml',
      text: `${declaration}<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets>${each(
        sheets,
        (number, name) =>
          `<sheet name="${xmlText(name)}" sheetId="${number}" r:id="rId${number}"/>`,
      )}</sheets></workbook>`,
    },
    {
      path: 'xl/_rels/workbook.xml.rels',
      text: `${declaration}<Relationships xmlns="${packageRelationships}">${each(
        sheets,
        (number) =>
          `<Relationship Id="rId${number}" Type="${relationships}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
      )}<Relationship Id="rId${sheets.length + 1}" Type="${relationships}/styles" Target="styles.xml"/></Relationships>`,
    },
    {
      path: '[Content_Types].xml',
      text: `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentTypes}.sheet.main+xml"/>${each(
        sheets,
        (number) =>
          `<Override PartName="/${sheetPath(number)}" ContentType="${contentTypes}.worksheet+xml"/>`,
      )}<Override PartName="/xl/styles.xml" ContentType="${contentTypes}.styles+xml"/></Types>`,
    },
  ];
}

/** Returns a valid Excel sheet name: at most 31 characters, none of `[]:*?/\`, no apostrophe at either end. */
export function sheetName(name: string, number = 1): string {
  const suffix = number === 1 ? '' : ` ${number}`;
  const allowed = cutText(name.replace(/[[\]:*?/\\\p{C}]/gu, ' ').trim(), 31 - suffix.length)
    .replace(/^'+|'+$/g, '')
    .trim();
  // Use another name for "History", which Excel reserves.
  return (allowed === '' || /^history$/i.test(allowed) ? 'Results' : allowed) + suffix;
}

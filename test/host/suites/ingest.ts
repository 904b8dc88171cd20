// Files from other projects, ingested through the extension's command and queried; what is expected
// is computed from the files themselves.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { parseCsv } from '../csv.ts';
import { rowsOf, runQuery, workspaceFile } from '../editing.ts';

type Row = Record<string, unknown>;

async function readData(name: string): Promise<string> {
  const extension = vscode.extensions.getExtension('aplomb.aplomb');
  assert.ok(extension);
  return readFile(join(extension.extensionPath, 'node_modules/vega-datasets/data', name), 'utf8');
}

async function ingest(name: string, content: string, dataset: string): Promise<void> {
  const file = await workspaceFile(name, content);
  await vscode.commands.executeCommand('aplomb.ingestFiles', [file], dataset);
}

const byText = (one: unknown[], other: unknown[]) =>
  String(one[0]) < String(other[0]) ? -1 : String(one[0]) > String(other[0]) ? 1 : 0;

/** Asserts that numbers agree to twelve digits and everything else exactly. */
function assertRows(actual: unknown[][], expected: unknown[][]): void {
  const rounded = (rows: unknown[][]) =>
    rows.map((row) =>
      row.map((cell) =>
        typeof cell === 'number' && !Number.isInteger(cell) ? cell.toPrecision(12) : cell,
      ),
    );
  assert.deepEqual(rounded(actual), rounded(expected));
}

describe('ingesting files', () => {
  // Films and flights are stored at their dates.
  before(() => vscode.commands.executeCommand('aplomb.setTimeRange', '1700-01-01 to 2200-01-01'));
  after(() => vscode.commands.executeCommand('aplomb.setTimeRange', '1h'));

  it('a CSV: airports by state', async () => {
    const text = await readData('airports.csv');
    await ingest('airports.csv', text, 'airports');
    const airports = parseCsv(text);
    const states = new Map<string, number[]>();
    for (const { state = '', latitude } of airports) {
      states.set(state, [...(states.get(state) ?? []), Number(latitude)]);
    }
    const expected = [...states].map(([state, found]) => [
      state,
      found.length,
      Math.min(...found),
      Math.max(...found),
    ]);
    const actual = await runQuery(`airports
| extend north = toreal(latitude)
| summarize airports = count(), southmost = min(north), northmost = max(north) by state
| order by state asc
| take 1000`);
    assertRows(rowsOf(actual).sort(byText), expected.sort(byText));
  });

  it('a JSON array: films with numbers, nulls and names with spaces', async () => {
    const text = await readData('movies.json');
    await ingest('movies.json', text, 'movies');
    const movies: Row[] = JSON.parse(text);
    const rated = movies.filter((movie) => movie['IMDB Rating'] !== null);
    const genres = new Map<unknown, Row[]>();
    for (const movie of rated) {
      const genre = movie['Major Genre'];
      genres.set(genre, [...(genres.get(genre) ?? []), movie]);
    }
    const expected = [...genres].map(([genre, found]) => {
      const ratings = found.map((movie) => Number(movie['IMDB Rating']));
      const votes = found.map((movie) => Number(movie['IMDB Votes']));
      return [
        genre,
        found.length,
        ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length,
        votes.reduce((sum, vote) => sum + vote, 0),
        found.filter((movie) => movie.Director === null).length,
      ];
    });
    const actual = await runQuery(`movies
| where isnotnull(['IMDB Rating'])
| summarize films = count(), rating = avg(['IMDB Rating']), votes = sum(['IMDB Votes']), undirected = countif(isnull(Director)) by ['Major Genre']
| take 1000`);
    assertRows(rowsOf(actual).sort(byText), expected.sort(byText));
  });

  it('NDJSON: flights between two airports', async () => {
    const flights: Row[] = JSON.parse(await readData('flights-2k.json'));
    const lines = flights.map((flight) => `${JSON.stringify(flight)}\n`).join('');
    await ingest('flights.ndjson', lines, 'flights');
    const late = flights.filter((flight) => Number(flight.delay) > 60);
    const expected = late
      .map(({ origin, destination, delay }) => [origin, destination, delay] as const)
      .sort(
        (one, other) =>
          Number(other[2]) - Number(one[2]) ||
          byText([`${one[0]}${one[1]}`], [`${other[0]}${other[1]}`]),
      );
    const actual = await runQuery(`flights
| where delay > 60
| project origin, destination, delay
| order by delay desc, origin asc, destination asc
| take 5000`);
    assert.deepEqual(
      rowsOf(actual),
      expected.map((row) => [...row]),
    );
    const [total] = rowsOf(await runQuery('flights\n| summarize count(), sum(distance)'));
    assert.deepEqual(total, [
      flights.length,
      flights.reduce((sum, flight) => sum + Number(flight.distance), 0),
    ]);
  });
});

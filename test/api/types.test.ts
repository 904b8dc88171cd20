// Compile-time checks of the types that the client and the local deployment use: an assignment fails to compile if
// a type is lost or widened.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type * as api from '../../api/src/index.ts';

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

it('endpoint types are derived from the endpoint table', () => {
  const held: [
    Same<api.PathParams<'updateField'>, { dataset_id: string; field_id: string }>,
    Same<keyof api.PathParams<'listMonitors'>, never>,
    Same<api.QueryParams<'queryEdge'>['format'], 'legacy' | 'tabular' | 'tabular-rows'>,
    Same<api.QueryParams<'listAnnotations'>['datasets'], string[] | undefined>,
    Same<api.Body<'ingest'>, Uint8Array>,
    Same<api.Body<'listMonitors'>, undefined>,
    Same<api.Body<'updateDashboard'>, api.DashboardWrite>,
    Same<api.Body<'replaceMapFields'>, string[]>,
    Same<api.Response<'deleteView'>, undefined>,
    Same<api.Response<'listMonitors'>, api.Monitor[]>,
    Same<api.Monitor['type'], 'Threshold' | 'MatchEvent' | 'AnomalyDetection'>,
    Same<api.Monitor['tolerance'], number | undefined>,
    Same<api.Monitor['disabledUntil'], string | null | undefined>,
    Same<api.HeaderParams<'ingest'>['x-axiom-csv-fields'], string | undefined>,
  ] = [true, true, true, true, true, true, true, true, true, true, true, true, true, true];
  assert.ok(held.every((same) => same));
});

it('types of tolerantly read responses guarantee only essential properties such as id', () => {
  type Read = api.ReadResponse<'listMonitors'>[number];
  type Result = api.ReadResponse<'queryEdge'>;
  type Table = NonNullable<Result['tables']>[number];
  const held: [
    Same<Read['id'], string>,
    Same<Read['name'], string>,
    Same<Read['tolerance'], number | null | undefined>,
    Same<Read['notifierIds'], string[] | null | undefined>,
    // An open enum: any string is a valid type.
    string extends NonNullable<Read['type']> ? false : true,
    'Forecast' extends NonNullable<Read['type']> ? true : false,
    Same<Result['status']['rowsExamined'], number | null | undefined>,
    Same<Table['fields'][number]['name'], string>,
    Same<Table['columns'], unknown[][] | null | undefined>,
  ] = [true, true, true, true, false, true, true, true, true];
  assert.equal(held.length, 9);
});

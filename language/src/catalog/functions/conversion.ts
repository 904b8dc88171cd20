/** Functions that convert values to other types or return the type of a value. */
import { area, fn, long, optional, scalar, string, typeLiteral } from '../build.ts';

export const conversionFunctions = area('conversion', {
  dynamic_to_json: fn([scalar('value')], 'string'),
  ensure_field: fn([string('field', { names: 'column' }), typeLiteral('type')], {
    typeArgument: 'type',
  }),
  isbool: fn([scalar('value')], 'bool'),
  toarray: fn([scalar('value')], 'dynamic'),
  tobool: fn([scalar('value')], 'bool'),
  todatetime: fn([scalar('value')], 'datetime'),
  todouble: fn([scalar('value')], 'real'),
  todynamic: fn([scalar('value')], 'dynamic'),
  tohex: fn([scalar('value'), optional(long('digits'))], 'string'),
  toint: fn([scalar('value')], 'long'),
  tolong: fn([scalar('value')], 'long', { aliasOf: 'toint' }),
  toreal: fn([scalar('value')], 'real', { aliasOf: 'todouble' }),
  tostring: fn([scalar('value')], 'string'),
  totimespan: fn([scalar('value')], 'timespan'),
});

export const typeFunctions = area('type', {
  iscc: fn([string('text')], 'bool'),
  isimei: fn([string('text')], 'bool'),
  ismap: fn([scalar('value')], 'bool'),
  isreal: fn([scalar('value')], 'bool'),
  isstring: fn([scalar('value')], 'bool'),
  isutf8: fn([string('text')], 'bool'),
});

/** The primary's answers to the processes that are started with `--resources`. */
import { stringifyJson } from '../../../api/src/index.ts';
import type { Caller } from '../access/callers.ts';
import type { Grants } from '../access/capabilities.ts';
import { HttpResponse } from '../http.ts';
import type { Resources } from '../store/resources.ts';

/** The access of the token in the request. Any token may ask. */
export const ACCESS_PATH = '/_local/access';

/** The views and virtual fields, which queries use whether or not their callers may see them. */
export const RESOURCES_PATH = '/_local/resources';

/** Takes over changes by other processes to the datasets. */
export const REFRESH_PATH = '/_local/refresh';

export type AccessRecord = Omit<Caller, 'capabilities'> & { readonly grants: Grants };

export function answerAccess({ capabilities, ...record }: Caller): HttpResponse {
  const access: AccessRecord = { ...record, grants: capabilities.grants };
  return HttpResponse.json(access);
}

export function answerResources(resources: Resources): HttpResponse {
  const views = resources.list('view');
  const virtualFields = resources.list('virtual field');
  const headers = { 'content-type': 'application/json' };
  return new HttpResponse(stringifyJson({ views, virtualFields }), { headers });
}

/** Formats errors as responses, in the formats that OpenTelemetry and Elasticsearch clients expect. */
import { RESPONSE_HEADERS } from '../../api/src/index.ts';
import { type ApiError, newTraceId } from './errors.ts';
import { type HttpRequest, HttpResponse } from './http.ts';
import { PROTOBUF, protobufError } from './otlp/answers.ts';

type Head = { readonly status: number; readonly headers: Readonly<Record<string, string>> };

interface ErrorFormat {
  readonly isFor: (request: Pick<HttpRequest, 'url' | 'headers'>) => boolean;
  readonly write: (error: ApiError, head: Head) => HttpResponse;
}

const formats: readonly ErrorFormat[] = [
  {
    isFor: ({ url, headers }) =>
      headers.get('content-type')?.trim().toLowerCase().startsWith(PROTOBUF) === true &&
      /\/v1\/(traces|logs|metrics)(\?|$)/.test(url),
    write: ({ message }, { status, headers }) =>
      new HttpResponse(protobufError(message), {
        status,
        headers: { ...headers, 'content-type': PROTOBUF },
      }),
  },
  {
    isFor: ({ url }) => /\/elastic\/(_bulk)?(\?|$)/.test(url),
    write: (error, { headers }) => {
      const { reason: type, message: reason, status } = error;
      // Some clients show only `root_cause`.
      const members = { error: { type, reason, root_cause: [{ type, reason }] }, status };
      return HttpResponse.json(
        { ...error.toJSON(), ...members },
        { status, headers: { ...headers, ...PRODUCT_HEADER } },
      );
    },
  },
];

/** Elasticsearch clients reject a response without this header. */
export const PRODUCT_HEADER = { 'x-elastic-product': 'Elasticsearch' } as const;

/** Converts an error to a response. Adds a trace ID if `headers` has none. */
export function errorResponse(
  error: ApiError,
  headers: Readonly<Record<string, string>> = {},
  request?: Pick<HttpRequest, 'url' | 'headers'>,
): HttpResponse {
  const { status, retryAfter } = error;
  const retry = retryAfter && { [RESPONSE_HEADERS.retryAfter]: String(retryAfter) };
  const all = { [RESPONSE_HEADERS.trace]: newTraceId(), ...headers, ...retry };
  const head = { status, headers: all };
  const form = request && formats.find(({ isFor }) => isFor(request));
  return form === undefined ? HttpResponse.json(error, head) : form.write(error, head);
}

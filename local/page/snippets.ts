/** Generates commands and code for sending events. */

export interface Snippet {
  readonly title: string;
  readonly text: string;
}

const AUTHORIZATION = '-H "Authorization: Bearer $AXIOM_TOKEN"';
const JSON_TYPE = '-H "Content-Type: application/json"';

export function snippetsFor(url: string, dataset: string, isNew: boolean): readonly Snippet[] {
  const create = `curl ${url}/v2/datasets ${AUTHORIZATION} \\
  ${JSON_TYPE} \\
  -d ${quoted(JSON.stringify({ name: dataset }))}`;
  const event = '[{"level":"info","message":"Hello"}]';
  return [
    ...(isNew ? [{ title: 'Create the dataset', text: create }] : []),
    {
      title: 'curl',
      text: `curl ${quoted(`${url}/v1/ingest/${encodeURIComponent(dataset)}`)} ${AUTHORIZATION} \\
  ${JSON_TYPE} \\
  -d '${event}'`,
    },
    {
      title: 'OpenTelemetry: traces and logs of any SDK',
      text: `export OTEL_EXPORTER_OTLP_ENDPOINT=${url}
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20$AXIOM_TOKEN",X-Axiom-Dataset=${quoted(encodeURIComponent(dataset))}
export OTEL_METRICS_EXPORTER=none`,
    },
    {
      title: 'JavaScript: @axiomhq/js',
      text: `import { Axiom } from '@axiomhq/js';

const axiom = new Axiom({ token: process.env.AXIOM_TOKEN, url: ${quotedCode(url)} });
axiom.ingest(${quotedCode(dataset)}, ${event});
await axiom.flush();`,
    },
  ];
}

function quoted(text: string): string {
  return /^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function quotedCode(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
}

// An HTTPS server on loopback with a certificate of this folder. It accepts every token and has no datasets.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export type CertificateName = 'valid' | 'expired' | 'early' | 'wrong-name' | 'self-signed';

export interface HttpsServer extends AsyncDisposable {
  readonly url: string;
  /** The received authorization headers. */
  readonly tokens: readonly (string | undefined)[];
}

/** Starts the server. `folder` contains the certificates. */
export async function startHttps(name: CertificateName, folder: string): Promise<HttpsServer> {
  const [cert, key] = await Promise.all(
    ['pem', 'key'].map((extension) => readFile(join(folder, `${name}.${extension}`))),
  );
  const tokens: (string | undefined)[] = [];
  const server = createServer({ cert: cert as Buffer, key: key as Buffer }, (request, response) => {
    tokens.push(request.headers.authorization);
    request.resume();
    const isList = request.method === 'GET';
    response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json' });
    response.end(isList ? '[]' : '{"message":"The dataset does not exist"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokens,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

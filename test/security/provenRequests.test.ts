// A request with the token goes over the connection that was proven, and never over one that Node opens for it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { it } from 'node:test';
import { requestOver } from '../../loopback/src/connect.ts';

it('a request over a proven connection opens no second connection', async () => {
  const ports: (number | undefined)[] = [];
  const server = createServer((_, response) => response.end()).on('connection', (socket) =>
    ports.push(socket.remotePort),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  try {
    const place = { url: `http://127.0.0.1:${port}`, token: 'a token' };
    const response = await requestOver(socket, place, 'GET', '/_local/hold');
    response.resume();
    await once(response, 'end');
    assert.deepEqual(ports, [socket.localPort]);
  } finally {
    socket.destroy();
    server.close();
  }
});

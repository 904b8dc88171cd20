// A program that listens at the port of a local deployment before it starts, and passes the question of a client on to
// it once it has the port, isn't taken for the deployment.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { it } from 'node:test';
import { Gateway } from '../../local/src/gateway.ts';
import { listen } from '../../local/src/listen.ts';
import { connectProven, UnprovenServerError } from '../../loopback/src/connect.ts';

const TOKEN = 'a token';

it('a client rejects a proof that was relayed from the deployment at the same port', async () => {
  const thief = createServer();
  await once(thief.listen(0, '127.0.0.1'), 'listening');
  const { port } = thief.address() as AddressInfo;
  const place = { url: `http://127.0.0.1:${port}`, token: TOKEN };
  const proven = connectProven(place).then(
    ({ socket }) => {
      socket.destroy();
      return 'proven';
    },
    (error: unknown) => error,
  );
  const [asking] = (await once(thief, 'connection')) as [Socket];
  thief.close();

  const deployment = await listen(new Gateway(TOKEN).respond, port);
  const onward = connect(port, '127.0.0.1');
  try {
    await once(onward, 'connect');
    asking
      .on('error', () => undefined)
      .pipe(onward)
      .pipe(asking);
    const outcome = await proven;
    assert.ok(outcome instanceof UnprovenServerError, `the outcome is ${outcome}`);
    const { socket, health } = await connectProven(place);
    socket.destroy();
    assert.equal(health.pid, process.pid);
  } finally {
    onward.destroy();
    asking.destroy();
    await deployment.close(0);
  }
});

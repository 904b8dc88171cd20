// A process of another user that binds the port of the local deployment whenever it is free, and records what it is
// sent. It passes everything on to the deployment at its next port, so that it answers as well as it can.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const program = `
const net = require('node:net');
let watched = 0, relay = 0, server;
const print = (line) => process.stdout.write(line + '\\n');
function bind() {
  const attempt = net.createServer((socket) => {
    print('connected');
    socket.on('error', () => {});
    if (relay === 0) {
      socket.on('data', (data) => {
        print('data ' + data.toString('base64'));
        socket.write('HTTP/1.1 200 OK\\r\\ncontent-length: 24\\r\\n\\r\\n{"pid":1,"state":"open"}');
      });
      return;
    }
    const onward = net.connect(relay, '127.0.0.1').on('error', () => socket.destroy());
    socket.on('data', (data) => {
      print('data ' + data.toString('base64'));
      onward.write(data);
    }).on('close', () => onward.destroy());
    onward.on('data', (data) => socket.write(data)).on('close', () => socket.destroy());
  });
  const port = watched;
  attempt.on('error', () => setTimeout(bind, 0));
  attempt.listen(port, '127.0.0.1', () => {
    server = attempt;
    print('bound ' + port);
  });
}
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const [word, port] = line.split(' ');
  if (word === 'relay') {
    relay = Number(port);
    print('relaying');
  }
  if (word === 'watch') {
    const isFirst = watched === 0;
    watched = Number(port);
    server?.close();
    if (isFirst || server) bind();
    server = undefined;
    print('watching');
  }
}).on('close', () => process.exit());
`;

export class Thief {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<string, () => void>();
  /** Everything that it was sent. */
  received = '';
  connections = 0;
  /** The ports that it got since it was last told to wait: a number may come back later. */
  readonly bound: number[] = [];

  constructor() {
    // Only root may start processes of other users.
    const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    this.#child = spawn(process.execPath, ['-e', program], {
      ...{ ...other, cwd: '/', stdio: ['pipe', 'pipe', 'inherit'] },
    });
    createInterface({ input: this.#child.stdout! }).on('line', (line) => {
      const [word = '', value = ''] = line.split(' ');
      if (word === 'data') this.received += Buffer.from(value, 'base64').toString('latin1');
      if (word === 'connected') this.connections += 1;
      if (word === 'bound') this.bound.push(Number(value));
      this.#waiting.get(line)?.();
    });
  }

  /** Has it wait for a port to become free, instead of the one before, which it gives back. */
  watch(port: number): Promise<void> {
    this.bound.length = 0;
    return this.#ask(`watch ${port}`, 'watching');
  }

  /** Has it pass on what it is sent to a port. */
  relay(port: number): Promise<void> {
    return this.#ask(`relay ${port}`, 'relaying');
  }

  /** Resolves once it has the port. */
  async has(port: number): Promise<void> {
    if (!this.bound.includes(port)) await this.#line(`bound ${port}`);
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }

  #ask(command: string, answer: string): Promise<void> {
    const answered = this.#line(answer);
    this.#child.stdin!.write(`${command}\n`);
    return answered;
  }

  #line(line: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(line, resolve));
  }
}

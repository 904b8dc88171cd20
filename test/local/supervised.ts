// Runs a program like `aplomb serve` runs the local deployment.
import { supervise } from '../../loopback/src/supervise.ts';

const [program = '', ...args] = process.argv.slice(2);
supervise(program, args);

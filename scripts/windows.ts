// `npm run windows:check`: the project on Windows as Wine plays it.
import { makeBed } from './windows/bed.ts';
import { simultaneousStarts } from './windows/gates.ts';
import { Wine } from './windows/wine.ts';

console.log(Wine.check());
const bed = await makeBed();
try {
  await simultaneousStarts(bed, Number(process.argv[2] ?? 5));
  console.log('ok');
} finally {
  bed.wine.end();
}

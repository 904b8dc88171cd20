// Lets Node 22 run tests with `using`, which it strips types from but does not know: such files are lowered as they
// are loaded. For `node --import`.
import { registerHooks } from 'node:module';
import esbuild from 'esbuild';

const isUsing = /^\s*(?:await )?using /m;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!/\.m?ts$/.test(url) || loaded.source == null) return loaded;
    const source = loaded.source.toString();
    if (!isUsing.test(source)) return loaded;
    const { code } = esbuild.transformSync(source, {
      loader: 'ts',
      target: 'node22',
      supported: { using: false },
      sourcemap: 'inline',
    });
    return { format: 'module', source: code, shortCircuit: true };
  },
});

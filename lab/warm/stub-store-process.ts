/** A scripted store in its own process, so that the measured process contains only the function. */
import { type Exchange, exception, ok, perform } from '../../test/support/acts.ts';
import { ScriptedStore } from '../../test/support/scripted-store.ts';

let puts = 0;

/** One put in 200 is throttled, and one in 500 loses its connection. */
function put(exchange: Exchange): Promise<void> | void {
  puts += 1;
  if (puts % 500 === 0) return void exchange.response.destroy();
  return perform(puts % 200 === 0 ? exception('ThrottlingException') : ok({}), exchange);
}

const store = await ScriptedStore.start({ script: { PutItem: [put] } });
process.on('disconnect', () => process.exit());
process.send?.(store.endpoint);

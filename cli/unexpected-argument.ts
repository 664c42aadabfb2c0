import type { Command, Options } from './command.ts';

/** What may be repeated in a message: no token, and nothing that is not plainly a word or an address. */
const HARMLESS = /^(?!.*plants_)[\w.:/@-]{1,80}$/;

/** What to say of an argument that belongs to no option. */
export function unexpectedArgument(argument: string, { options }: Command<Options>): string {
  if (!HARMLESS.test(argument)) return 'Unexpected argument; --help shows the options.';
  const option = /^https?:/.test(argument) ? 'url' : /^[a-z][a-z0-9-]*$/.test(argument) ? 'stage' : '';
  const instead = options[option] ? `use --${option} ${argument}.` : '--help shows the options.';
  return `Unexpected argument ${argument}; ${instead}`;
}
